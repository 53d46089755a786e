import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Format, GatewayError } from "../../core/index.ts";
import { passThrough, type StreamWork, translation } from "../../core/pipeline/stream/stream-work.ts";
import { openAiCompletions } from "../../plugins/format-openai-completions/index.ts";
import { openAiEmbeddings } from "../../plugins/format-openai-embeddings/index.ts";
import { root } from "../support/root.ts";
import { chatFormats } from "./pairs.ts";
import { vendorContext } from "./vendor-context.ts";

const formats: readonly Format[] = [...chatFormats, openAiCompletions, openAiEmbeddings] as readonly Format[];

/** What a format may do with nonsense: take it, or refuse it with an error that has a name. */
function refusalOf(read: () => unknown): GatewayError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    expect((error as GatewayError).code).not.toBe("internal");
    return error as GatewayError;
  }
}

const recorded = (format: Format, wanted: RegExp): Buffer[] => {
  const folder = join(root, "plugins", `format-${format.name}`, "fixtures");
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => wanted.test(path))
      .map((path) => readFileSync(join(folder, path)));
  } catch {
    return [];
  }
};

/** A few bytes of a stream exchanged, left out or said twice. */
const mutated = (bytes: Buffer, changes: readonly (readonly [number, number, number])[]): Buffer => {
  let text = bytes;
  for (const [where, kind, byte] of changes) {
    const at = where % Math.max(1, text.length);
    const [before, after] = [text.subarray(0, at), text.subarray(at)];
    if (kind === 0) text = Buffer.concat([before, Buffer.from([byte]), after.subarray(1)]);
    else if (kind === 1) text = Buffer.concat([before, after.subarray(1 + (byte % 40))]);
    else text = Buffer.concat([before, after.subarray(0, byte), after]);
  }
  return text;
};
const changes = fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.nat(255)), { minLength: 1, maxLength: 6 });

/** Reads a stream to its end, in two pieces. */
function consume(work: StreamWork, bytes: Buffer): void {
  const half = bytes.length >> 1;
  refusalOf(() => {
    work.push(bytes.subarray(0, half));
    work.push(bytes.subarray(half));
    work.end();
  });
  expect(work.fail({ message: "cut" }).length).toBeGreaterThanOrEqual(0);
}

describe.each(formats.map((format) => ({ name: format.name, format })))("$name", ({ format }) => {
  const bodies = recorded(format, /(?:request|response)\.json$/);
  const streams = recorded(format, /upstream\.(?:sse|bin)$/);

  it("takes any JSON as a request, an answer or an error, or refuses it by name", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        refusalOf(() => format.decodeRequest(value));
        refusalOf(() => format.decodeResponse(value));
        expect(() => format.decodeError(value)).not.toThrow();
        expect(() => format.readUsage(value)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  if (bodies.length > 0)
    it("takes recorded bodies with values exchanged, or refuses them by name", () => {
      const values = fc.array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 1 })), { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(fc.nat(), values, (which, exchanged) => {
          const body: unknown = JSON.parse(`${bodies[which % bodies.length]}`);
          for (const [where, value] of exchanged) exchange(body, where, value);
          for (const decode of [format.decodeRequest, format.decodeResponse]) refusalOf(() => decode(body));
          expect(() => format.readUsage(body)).not.toThrow();
        }),
        { numRuns: 300 },
      );
    });

  if (format.decodeStream)
    it("reads any bytes as a stream to their end, or refuses them by name", () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
          consume(passThrough(format, 100_000), Buffer.from(bytes));
          consume(
            translation({ upstream: format, client: format, context: vendorContext, maxFrameBytes: 100_000 }),
            Buffer.from(bytes),
          );
        }),
        { numRuns: 200 },
      );
    });

  if (streams.length > 0)
    it("reads recorded streams with bytes exchanged, or refuses them by name", () => {
      const [client = format] = chatFormats.filter(({ operation }) => operation === format.operation) as Format[];
      fc.assert(
        fc.property(fc.nat(), changes, (which, given) => {
          const bytes = mutated(streams[which % streams.length] ?? Buffer.alloc(0), given);
          consume(passThrough(format, 100_000), bytes);
          consume(translation({ upstream: format, client, context: vendorContext, maxFrameBytes: 100_000 }), bytes);
        }),
        { numRuns: 150 },
      );
    });
});

/** Puts a value in the place of another one somewhere in a body. */
function exchange(body: unknown, where: number, value: unknown): void {
  const places: [object, string][] = [];
  const walk = (inner: unknown): void => {
    if (typeof inner !== "object" || inner === null) return;
    for (const key of Object.keys(inner)) {
      places.push([inner, key]);
      walk((inner as Record<string, unknown>)[key]);
    }
  };
  walk(body);
  const place = places[where % Math.max(1, places.length)];
  if (place) (place[0] as Record<string, unknown>)[place[1]] = value;
}
