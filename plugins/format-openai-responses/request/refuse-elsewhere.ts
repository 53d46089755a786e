import { type ChatRequest, GatewayError } from "../../../core/index.ts";
import { readExtra } from "../extra.ts";

/** What refers to something a vendor of this format has stored, or is to do later; with what to do instead. */
const native: Readonly<Record<string, string>> = {
  previous_response_id: "send the whole conversation in input",
  conversation: "send the whole conversation in input",
  prompt: "send its text in instructions and input",
  background: "leave it out, and wait for the answer",
};

/** Without these the request would be another one: they are refused, not dropped. */
export function refuseElsewhere({ extra }: ChatRequest): void {
  const { fields } = readExtra(extra);
  for (const param in native)
    if (Object.hasOwn(fields, param))
      throw new GatewayError(
        "invalid_request",
        `${param} works only with a provider that serves the Responses API itself, and this one does not: ${native[param]}.`,
        { param },
      );
}
