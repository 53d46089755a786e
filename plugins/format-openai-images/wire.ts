import { z } from "zod";
import { isFile, lenientNumber, lenientText } from "../../core/index.ts";

/** Requests and answers of the images API: only the fields that are read. Messages say what is accepted. */

const count = "an integer from 1 to 10";
const text = z.string("a string").nullish();
const between = (low: number, high: number) => {
  const accepted = `an integer from ${low} to ${high}`;
  return z.int(accepted).min(low, accepted).max(high, accepted).nullish();
};
const responseFormat = z.enum(["url", "b64_json"], 'one of "url", "b64_json"').nullish();
/** `base64` is what clients of Together's write for bytes (`together-ai`, `@ai-sdk/togetherai`). */
const generatedFormat = z.enum(["url", "b64_json", "base64"], 'one of "url", "b64_json"').nullish();

export const generation = z.looseObject(
  {
    model: z.string("a string").nullish(),
    prompt: z.string("a string").min(1, "a string that is not empty"),
    n: z.int(count).min(1, count).max(10, count).nullish(),
    size: text,
    quality: z.union([z.string(), z.number()], "a string").nullish(),
    style: text,
    response_format: generatedFormat,
    output_format: text,
    output_compression: between(0, 100),
    partial_images: between(0, 3),
    negative_prompt: text,
    seed: z.int("an integer").nullish(),
    user: text,
    stream: z.boolean("true or false").nullish(),
  },
  "an object",
);

const file = z.custom(isFile, "a file");
const images = z.union([file, z.array(file).min(1)], "one or more files").nullish();
const countText = z
  .string(count)
  .regex(/^(?:[1-9]|10)$/, count)
  .nullish();

const form = {
  model: text,
  n: countText,
  size: text,
  response_format: responseFormat,
  user: text,
};

export const edit = z.looseObject({
  ...form,
  image: images,
  "image[]": images,
  mask: file.nullish(),
  prompt: z.string("a string").min(1, "a string that is not empty"),
});

const reference = z.union([z.string(), z.looseObject({})], "an object with image_url or file_id").nullish();

/** An edit in JSON. */
export const jsonEdit = z.looseObject(
  {
    model: text,
    n: z.int(count).min(1, count).max(10, count).nullish(),
    size: text,
    response_format: responseFormat,
    user: text,
    image: z.union([reference, z.array(reference)], "one or more images").nullish(),
    images: z.array(reference, "a list of images").nullish(),
    mask: reference,
    prompt: z.string("a string").min(1, "a string that is not empty"),
    stream: z.boolean("true or false").nullish(),
  },
  "an object",
);

export const variation = z.looseObject({ ...form, image: file });

export const answer = z.looseObject({
  created: lenientNumber,
  data: z.array(z.looseObject({ url: lenientText, b64_json: lenientText, revised_prompt: lenientText })),
  usage: z.unknown().optional(),
});
