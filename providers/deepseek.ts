import { defineProvider, isRecord, withParts } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Whether to think is a switch of its own here; a client that sets it knows better. */
const thinking = ({ reasoning_effort: effort, thinking: own }: Wire) =>
  typeof effort === "string" && own === undefined
    ? { thinking: { type: effort === "none" ? "disabled" : "enabled" } }
    : {};

/** There are no schemas here, only JSON; and of that a prompt has to speak. */
function withSchemaTold(wire: Wire, report?: (dropped: string) => void): Wire {
  const { response_format: format, messages } = wire;
  if (!isRecord(format) || format.type !== "json_schema" || !Array.isArray(messages)) return wire;
  report?.("response_format.json_schema");
  const { schema } = isRecord(format.json_schema) ? format.json_schema : {};
  const content = `Answer with JSON that follows this JSON schema:\n${JSON.stringify(schema ?? {})}`;
  return { ...wire, response_format: { type: "json_object" }, messages: [{ role: "system", content }, ...messages] };
}

/** Models see texts and images, and files that the vendor keeps: what else people show them is refused. */
function withoutUnseen(wire: Wire, report?: (dropped: string) => void): Wire {
  if (!Array.isArray(wire.messages)) return wire;
  const seen = (part: unknown): boolean => {
    if (!isRecord(part) || !unseen.has(String(part.type))) return true;
    if (isRecord(part.file) && part.file.file_id !== undefined) return true;
    report?.(`messages.${part.type}`);
    return false;
  };
  const messages = withParts(wire.messages, (parts) => {
    const left = parts.filter(seen);
    return left.length > 0 ? left : "";
  });
  return { ...wire, messages };
}

const unseen: ReadonlySet<string> = new Set(["file", "input_audio"]);

export default defineProvider({
  name: "deepseek",
  summary: "DeepSeek: the DeepSeek models.",
  baseUrl: "https://api.deepseek.com",
  operations: {
    chat: {
      format: "openai-chat",
      path: "/v1/chat/completions",
      // "For turns that do perform tool calls, the reasoning_content must be fully passed back" (guides/thinking_mode).
      thinkingField: "reasoning_content",
      clamps: { top_logprobs: [0, 20] },
      rewrite: {
        when: ['"reasoning_effort"', '"json_schema"', '"file"', '"input_audio"'],
        apply: (wire, report) => ({ ...withoutUnseen(withSchemaTold(wire, report), report), ...thinking(wire) }),
      },
    },
  },
});
