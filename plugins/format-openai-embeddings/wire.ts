import { z } from "zod";
import { lenientNumber, lenientText } from "../../core/index.ts";

/** Requests and answers of the embeddings API: only the fields that are read. Messages say what is accepted. */

export const wireRequest = z.looseObject(
  {
    model: z.string("a string").min(1, "a string that is not empty"),
    input: z.unknown().optional(),
    encoding_format: z.enum(["float", "base64"], 'one of "float", "base64"').nullish(),
    dimensions: z.int("an integer of 1 or more").min(1, "an integer of 1 or more").nullish(),
    input_type: z.string("a string").nullish(),
    task_type: z.string("a string").nullish(),
    user: z.string("a string").nullish(),
  },
  "an object",
);

/** Thousands of numbers: the first one speaks for the others, and nothing is copied. */
const vector = z.custom<number[] | string>(
  (value) =>
    typeof value === "string" || (Array.isArray(value) && (value.length === 0 || typeof value[0] === "number")),
  "a list of numbers or base64",
);

export const wireResponse = z.looseObject({
  object: z.unknown().optional(),
  model: lenientText,
  provider: z.unknown().optional(),
  data: z.array(
    z.looseObject({
      index: lenientNumber,
      embedding: vector.nullish(),
      // What vendors call the vector of an image.
      image_embedding: vector.nullish(),
      video_embeddings: z
        .array(
          z.looseObject({ embedding: z.array(z.number()), start_offset: lenientNumber, end_offset: lenientNumber }),
        )
        .nullish(),
    }),
  ),
  usage: z.unknown().optional(),
});
