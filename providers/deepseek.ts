import {
  defineProvider,
  forcesTool,
  hasCalls,
  isRecord,
  isThinkingOff,
  withoutParts,
  withThoughts,
} from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/**
 * Whether to think is a switch of its own here; a client that sets it knows better. Where nobody says anything models think,
 * and then they refuse to be made to call a tool: "Thinking mode does not support this tool_choice".
 */
function withSwitch(wire: Wire, report: Report): Wire {
  const { reasoning_effort: effort, thinking: own, ...rest } = wire;
  if (forcesTool(wire)) {
    if (isRecord(own) && !isThinkingOff(own)) report?.("thinking");
    if (typeof effort === "string" && effort !== "none") report?.("reasoning_effort");
    return { ...rest, thinking: { type: "disabled" } };
  }
  if (typeof effort !== "string" || own !== undefined) return wire;
  return { ...wire, thinking: { type: effort === "none" ? "disabled" : "enabled" } };
}

/** There are no schemas here, only JSON; and of that a prompt has to speak. */
function withSchemaTold(wire: Wire, report: Report): Wire {
  const { response_format: format, messages } = wire;
  if (!isRecord(format) || format.type !== "json_schema" || !Array.isArray(messages)) return wire;
  report?.("response_format.json_schema");
  const { schema } = isRecord(format.json_schema) ? format.json_schema : {};
  const content = `Answer with JSON that follows this JSON schema:\n${JSON.stringify(schema ?? {})}`;
  return { ...wire, response_format: { type: "json_object" }, messages: [{ role: "system", content }, ...messages] };
}

/** Models see texts and images, and files that the vendor keeps: what else people show them is refused. */
const isUnseen = ({ type, file }: Wire): boolean =>
  type === "input_audio" || (type === "file" && !(isRecord(file) && file.file_id !== undefined));

/** "For turns that do perform tool calls, the reasoning_content must be fully passed back": without it all is refused. */
function withHistory(wire: Wire, report: Report): Wire {
  if (!Array.isArray(wire.messages)) return wire;
  const messages = withoutParts(wire.messages, isUnseen, report);
  return { ...wire, messages: isThinkingOff(wire.thinking) || !hasCalls(messages) ? messages : withThoughts(messages) };
}

export default defineProvider({
  name: "deepseek",
  summary: "DeepSeek: the DeepSeek models.",
  baseUrl: "https://api.deepseek.com",
  operations: {
    chat: {
      format: "openai-chat",
      path: "/v1/chat/completions",
      thinkingField: "reasoning_content",
      clamps: { top_logprobs: [0, 20] },
      rewrite: {
        when: ['"reasoning_effort"', '"json_schema"', '"file"', '"input_audio"', '"tool_calls"', '"tool_choice"'],
        apply: (wire, report) => ({ ...withHistory(withSchemaTold(withSwitch(wire, report), report), report) }),
      },
    },
  },
});
