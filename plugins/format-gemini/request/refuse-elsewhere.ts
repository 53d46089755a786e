import { type ChatRequest, refuseNative } from "../../../core/index.ts";
import { formatName } from "../fields.ts";

/**
 * Fields without which a request would be another one, with what to do instead. A prompt whose beginning Google keeps is told without it
 * (`cachedContent`), and an answer that was cut off at Google is gone on with there (`continuationToken`): others would begin it anew,
 * and Google's SDK, which asks so by itself, would put the two together.
 */
const native: Readonly<Record<string, string>> = {
  cachedContent: "send what it holds in contents",
  continuationToken: "send the answer so far in contents",
};

export function refuseElsewhere({ extra }: ChatRequest): void {
  if (extra?.format !== formatName) return;
  for (const [param, remedy] of Object.entries(native))
    if (typeof extra.fields[param] === "string" && extra.fields[param] !== "")
      refuseNative("Gemini's API", { param, remedy });
}
