import { isRecord, type OperationName, type ResponseOf } from "../../core/index.ts";

type Shape = (value: unknown) => boolean;

const record =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, fits]) => fits(value[name]));
const listOf =
  (fits: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(fits);
const either =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((fits) => fits(value));
const text: Shape = (value) => typeof value === "string";
const number: Shape = (value) => typeof value === "number";
const absent: Shape = (value) => value === undefined;

/** What each kind of part has to have for an encoder to write it. */
const parts: ReadonlyMap<unknown, Shape> = new Map(
  Object.entries({
    text: record({
      text,
      citations: either(
        absent,
        listOf(() => true),
      ),
    }),
    thinking: record({ text }),
    "redacted-thinking": record({ data: text }),
    refusal: record({ text }),
    "tool-call": record({ id: text, name: text, arguments: text }),
    image: record({ source: isRecord }),
    audio: record({ source: isRecord }),
    opaque: record({ format: text }),
  }),
);

const part: Shape = (value) => isRecord(value) && (parts.get(value.type)?.(value) ?? false);

const head = { usage: either(absent, isRecord), extra: either(absent, isRecord) };

const shapes: Readonly<Partial<Record<string, Shape>>> = {
  chat: record({ ...head, choices: listOf(record({ index: number, content: listOf(part), finishReason: text })) }),
  complete: record({ ...head, choices: listOf(record({ index: number, text, finishReason: text })) }),
  embed: record({ ...head, data: listOf(record({ index: number, vector: either(text, listOf(number)) })) }),
  speech: record({ audio: text, mediaType: either(absent, text) }),
  rerank: record({ ...head, results: listOf(record({ index: number, score: number })) }),
};

/** Whether a value has what encoders rely on in an answer of an operation. */
export const isResponse = (operation: OperationName, value: unknown): value is ResponseOf<OperationName> =>
  (shapes[operation] ?? isRecord)(value);
