import { type ChatRequest, isRecord, type NativeOnly, refuseNative } from "../../../core/index.ts";
import { formatName, readExtra } from "../extra.ts";

/** What refers to something a vendor of this format has stored, or is to do later; with what to do instead. */
const native: Readonly<Record<string, Omit<NativeOnly, "param">>> = {
  // Clients act on the code, and send the whole conversation (OpenAI's guide to its websocket mode).
  previous_response_id: { remedy: "send the whole conversation in input", code: "response_unknown" },
  conversation: { remedy: "send the whole conversation in input" },
  prompt: { remedy: "send its text in instructions and input" },
  background: { remedy: "leave it out, and wait for the answer" },
};

const api = "the Responses API";

/** Without these the request would be another one: they are refused, not dropped. */
export function refuseElsewhere({ extra, messages }: ChatRequest): void {
  const { fields } = readExtra(extra);
  for (const [param, more] of Object.entries(native))
    if (Object.hasOwn(fields, param)) refuseNative(api, { param, ...more });
  if (messages.at(-1)?.content.some(isTrigger))
    refuseNative(api, {
      what: "An item of type compaction_trigger",
      param: "input",
      remedy: "have the conversation summed up in words",
    });
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
