import { createHash } from "node:crypto";
import type { Dialect, Reply } from "./dialect.ts";
import { openAiErrors } from "./openai-errors.ts";
import { numberIn, Refusal, textIn, type Wire } from "./wire.ts";
import { countTokens } from "./words.ts";

const usualDimensions = 8;
const mostDimensions = 4096;

export const embeddings: Dialect = { format: "openai-embeddings", reply, ...openAiErrors };

function reply(wire: Wire): Reply {
  const inputs = inputsIn(wire.input);
  const dimensions = numberIn(wire.dimensions) ?? usualDimensions;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > mostDimensions)
    throw new Refusal(400, `dimensions must be between 1 and ${mostDimensions}.`);
  const tokens = inputs.reduce((sum, text) => sum + countTokens(text), 0);
  const data = inputs.map((text, index) => {
    const vector = vectorOf(text, dimensions);
    const embedding = wire.encoding_format === "base64" ? base64Of(vector) : [...vector];
    return { object: "embedding", index, embedding };
  });
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return { whole: { object: "list", data, model: textIn(wire.model), usage } };
}

/** An input is a text, tokens, or a list of texts, of tokens, or of objects. All are embedded as text. */
function inputsIn(input: unknown): string[] {
  if (input === undefined || input === null || (Array.isArray(input) && input.length === 0))
    throw new Refusal(400, "input is required.");
  const list: unknown[] = Array.isArray(input) && !input.every((one) => typeof one === "number") ? input : [input];
  return list.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
}

/** Equal texts have equal vectors; others point somewhere else. Its length is 1. */
function vectorOf(text: string, dimensions: number): Float32Array {
  const bytes: Buffer[] = [];
  for (let block = 0; block * 8 < dimensions; block++)
    bytes.push(createHash("sha256").update(`${block}:${text}`).digest());
  const all = Buffer.concat(bytes);
  const vector = Float64Array.from({ length: dimensions }, (_, at) => all.readInt32LE(at * 4) / 2 ** 31);
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => {
    bytes.writeFloatLE(value, at * 4);
  });
  return bytes.toString("base64");
}
