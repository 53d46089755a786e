import { type ChatRequest, GatewayError, isRecord } from "../../../core/index.ts";
import { formatName, readExtra } from "../extra.ts";

/** What refers to something a vendor of this format has stored, or is to do later; with what to do instead. */
const native: Readonly<Record<string, string>> = {
  previous_response_id: "send the whole conversation in input",
  conversation: "send the whole conversation in input",
  prompt: "send its text in instructions and input",
  background: "leave it out, and wait for the answer",
};

/** Without these the request would be another one: they are refused, not dropped. */
export function refuseElsewhere({ extra, messages }: ChatRequest): void {
  const { fields } = readExtra(extra);
  for (const param in native) if (Object.hasOwn(fields, param)) refuse(param, param, native[param] ?? "");
  if (messages.at(-1)?.content.some(isTrigger))
    refuse("An item of type compaction_trigger", "input", "have the conversation summed up in words");
}

function refuse(what: string, param: string, remedy: string): never {
  throw new GatewayError(
    // Clients act on the code, and send the whole conversation (OpenAI's guide to its websocket mode).
    param === "previous_response_id" ? "response_unknown" : "invalid_request",
    `${what} works only with a provider that serves the Responses API itself, and this one does not: ${remedy}.`,
    { param },
  );
}

/**
 * Asks for nothing but an item (`compaction`) that the vendor alone can write and read. It ends the input (openai-node,
 * ResponseCompactionItemParam and ResponseInputItem.CompactionTrigger).
 */
const isTrigger = (part: ChatRequest["messages"][number]["content"][number]): boolean =>
  part.type === "opaque" &&
  part.format === formatName &&
  isRecord(part.value) &&
  part.value.type === "compaction_trigger";
