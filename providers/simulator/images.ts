import type { Dialect, Reply } from "./dialect.ts";
import { openAiErrors } from "./openai-errors.ts";
import { countIn, Refusal, textIn, type Wire } from "./wire.ts";

/** A PNG of one transparent pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Every image is the same pixel, or an address that says what was asked for. */
export const images: Dialect = { format: "openai-images", reply, ...openAiErrors };

/** 1 January 2026. */
const created = 1_767_225_600;

function reply(wire: Wire, digest: string): Reply {
  const prompt = textIn(wire.prompt);
  if (prompt === "") throw new Refusal(400, "prompt is required.");
  const count = countIn(wire.n);
  const data = Array.from({ length: count }, (_, at) =>
    wire.response_format === "url"
      ? { url: `https://simulator.invalid/images/${digest.slice(0, 12)}-${at}.png`, revised_prompt: prompt }
      : { b64_json: pixel, revised_prompt: prompt },
  );
  return { whole: { created, data } };
}
