import { z } from "zod";
import { lenientNumber, lenientText, lenientWord } from "../../core/index.ts";

/**
 * Requests and answers of the text completions API: only the fields that are read. A message says what is accepted, to
 * stand behind "must be".
 */

const within = (value: unknown, min: number, max: number): value is number =>
  typeof value === "number" && value >= min && value <= max;

const number = (min: number, max: number) =>
  z.custom<number>((value) => within(value, min, max), `a number from ${min} to ${max}`).nullish();

const integer = (min: number, max: number, accepted = `an integer from ${min} to ${max}`) =>
  z.custom<number>((value) => Number.isInteger(value) && within(value, min, max), accepted).nullish();

const flag = z.boolean("true or false").nullish();

const isText = (value: unknown): value is string => typeof value === "string";
const stop = z
  .custom<string | string[]>(
    (value) => isText(value) || (Array.isArray(value) && value.length >= 1 && value.length <= 4 && value.every(isText)),
    "a string or a list of 1 to 4 strings",
  )
  .nullish();

export const wireRequest = z.looseObject(
  {
    model: z.string("a string").min(1, "a string that is not empty"),
    prompt: z.unknown().optional(),
    best_of: integer(0, 20),
    echo: flag,
    frequency_penalty: number(-2, 2),
    presence_penalty: number(-2, 2),
    logit_bias: z
      .record(
        z.string(),
        z.custom<number>((bias) => Number.isInteger(bias) && within(bias, -100, 100), "an integer from -100 to 100"),
        "an object of token ids and integers from -100 to 100",
      )
      .nullish(),
    logprobs: integer(0, 5),
    max_tokens: integer(0, Number.MAX_SAFE_INTEGER, "an integer of 0 or more"),
    n: integer(1, 128),
    // Both ends of the 64-bit range, as close as JSON numbers come to them.
    seed: integer(-(2 ** 63), 2 ** 63, "a 64-bit integer"),
    stop,
    stream: flag,
    stream_options: z.looseObject({ include_usage: flag }, "an object").nullish(),
    suffix: z.string("a string").nullish(),
    temperature: number(0, 2),
    top_p: number(0, 1),
    user: z.string("a string").optional(),
  },
  "an object",
);

export const wireResponse = z.looseObject({
  id: lenientText,
  object: z.unknown().optional(),
  created: lenientNumber,
  model: lenientText,
  provider: z.unknown().optional(),
  choices: z.array(
    z.looseObject({
      text: z.string().nullish(),
      index: lenientNumber,
      logprobs: z.unknown().optional(),
      finish_reason: lenientWord,
    }),
  ),
  usage: z.unknown().optional(),
});
