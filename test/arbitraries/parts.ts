import fc from "fast-check";
import type { CacheMarker, ContentPart, Source, TextPart, ToolCallPart } from "../../core/index.ts";

/** What messages and answers are made of. */

export const text = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 16 }) },
  { weight: 1, arbitrary: fc.constant("A longer text of several pieces. 🧪 ".repeat(40)) },
);
export const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
export const base64 = fc.base64String({ minLength: 4, maxLength: 32 });
const url = word.map((name) => `https://files.example.com/${name}`);
export const count = fc.nat({ max: 5000 });

const cache: fc.Arbitrary<CacheMarker> = fc.constantFrom<CacheMarker[]>({}, { ttl: "5m" }, { ttl: "1h" });
export const cached = <Part extends object>(part: fc.Arbitrary<Part>): fc.Arbitrary<Part & { cache?: CacheMarker }> =>
  fc.tuple(part, fc.option(cache, { nil: undefined, freq: 4 })).map(([value, marker]) => ({
    ...value,
    ...(marker && { cache: marker }),
  }));

const imageSource: fc.Arbitrary<Source> = fc.oneof(
  fc.record({ kind: fc.constant("url" as const), url }),
  fc.record({
    kind: fc.constant("data" as const),
    data: base64,
    mediaType: fc.constantFrom("image/png", "image/jpeg", "image/webp"),
  }),
);
const documentSource: fc.Arbitrary<Source> = fc.oneof(
  fc.record({ kind: fc.constant("url" as const), url }),
  fc.record({ kind: fc.constant("data" as const), data: base64, mediaType: fc.constant("application/pdf") }),
  fc.record({ kind: fc.constant("text" as const), text, mediaType: fc.constant("text/plain") }),
  word.map((name) => ({ kind: "file" as const, fileId: `file_${name}` })),
);

export const textPart: fc.Arbitrary<TextPart> = fc.record({ type: fc.constant("text" as const), text });
export const image = fc.record({ type: fc.constant("image" as const), source: imageSource });
export const contentPart: fc.Arbitrary<ContentPart> = fc.oneof(
  { weight: 4, arbitrary: cached(textPart) },
  { weight: 2, arbitrary: cached(image) },
  {
    weight: 1,
    arbitrary: cached(
      fc.record(
        { type: fc.constant("document" as const), source: documentSource, name: word.map((name) => `${name}.pdf`) },
        { requiredKeys: ["type", "source"] },
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("audio" as const),
      source: fc.record({
        kind: fc.constant("data" as const),
        data: base64,
        mediaType: fc.constantFrom("audio/wav", "audio/mp3"),
      }),
    }),
  },
);

export const thinking = fc
  .tuple(text, fc.option(base64, { nil: undefined, freq: 4 }))
  .map(([shown, signature]) => ({ type: "thinking" as const, text: shown, ...(signature && { signature }) }));
export const redacted = fc.record({ type: fc.constant("redacted-thinking" as const), data: base64 });

/** JSON of one argument: among them identifiers that no double holds, alone and further down. */
const argument = fc.oneof(
  fc.oneof(fc.integer(), fc.boolean(), text).map((value) => JSON.stringify(value)),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }).map((id) => `${id}`),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }).map((id) => `{"ids":[1,${id}]}`),
);

/** Arguments as JSON text that survives being read and written again. */
const toolArguments = fc
  .dictionary(word, argument, { maxKeys: 3, noNullPrototype: true })
  .map((all) => `{${Object.entries(all).map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}`);
const toolCall = fc.record({ name: word, arguments: toolArguments });
export const toolCalls = (prefix: string, max: number): fc.Arbitrary<ToolCallPart[]> =>
  fc
    .array(toolCall, { maxLength: max })
    .map((calls) => calls.map((call, at) => ({ type: "tool-call", id: `call_${prefix}_${at}`, ...call })));
