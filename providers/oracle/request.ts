import { toolOf as cohereTool, dialogueOf, isCohere, lostWithCohere } from "./cohere.ts";

type Wire = Readonly<Record<string, unknown>>;

const recordsIn = (value: unknown): Wire[] =>
  (Array.isArray(value) ? value : []).filter((one): one is Wire => typeof one === "object" && one !== null);

function contentOf(content: unknown): Record<string, unknown>[] | null {
  if (typeof content === "string") return [{ type: "TEXT", text: content }];
  if (!Array.isArray(content)) return null;
  return recordsIn(content).map((part) => {
    if (part.type === "image_url") return { type: "IMAGE", imageUrl: part.image_url };
    if (part.type === "input_audio") return { type: "AUDIO", audioUrl: { url: audioUrl(part.input_audio as Wire) } };
    return { type: "TEXT", text: part.text };
  });
}

const audioUrl = ({ data, format }: Wire): string => `data:audio/${format};base64,${data}`;

const functionOf = (value: unknown): Wire => (typeof value === "object" && value !== null ? (value as Wire) : {});

function messageOf({ role, content, tool_calls: calls, tool_call_id: id }: Wire): Record<string, unknown> {
  const called = recordsIn(calls).map((call) => {
    const { name, arguments: given } = functionOf(call.function);
    return { id: call.id, type: "FUNCTION", name, arguments: given };
  });
  return {
    role: role === "developer" ? "SYSTEM" : String(role).toUpperCase(),
    content: contentOf(content),
    ...(called.length > 0 && { toolCalls: called }),
    ...(id !== undefined && { toolCallId: id }),
  };
}

const toolOf = (tool: Wire): Record<string, unknown> => {
  const { name, description, parameters } = functionOf(tool.function);
  return { type: "FUNCTION", name, description, parameters };
};

function choiceOf(choice: unknown): Record<string, unknown> {
  if (typeof choice === "string") return { type: choice.toUpperCase() };
  return { type: "FUNCTION", name: functionOf(functionOf(choice).function).name };
}

/** Settings, by what the vendor calls them. Others have the same name on both sides. */
const names: Readonly<Record<string, string>> = {
  max_tokens: "maxTokens",
  n: "numGenerations",
  top_p: "topP",
  top_k: "topK",
  frequency_penalty: "frequencyPenalty",
  presence_penalty: "presencePenalty",
  logit_bias: "logitBias",
  logprobs: "logProbs",
  stream: "isStream",
  is_echo: "isEcho",
  seed: "seed",
  temperature: "temperature",
};

/** What the vendor has no place for; those not here either are left to its own judgement. */
export const drops = ["user", "top_logprobs", "response_format", "service_tier", "parallel_tool_calls"];

type Report = (dropped: string) => void;

const serving = (servingType: string, model: unknown) =>
  servingType === "DEDICATED" ? { servingType, endpointId: model } : { servingType, modelId: model };

/** A chat completion request as a chat of this vendor: GENERIC, but for the models of a maker with an older format. */
export function chatDetails(
  wire: Wire,
  compartmentId: string,
  servingType: string,
  report?: Report,
): Record<string, unknown> {
  const { model } = wire;
  const asked = withAllowed(wire, report);
  const chatRequest = isCohere(model) ? cohereChat(asked, report) : genericChat(asked);
  return { compartmentId, servingMode: serving(servingType, model), chatRequest };
}

/** The vendor has no choice among several tools: it is told of no others than may be called. */
function withAllowed(wire: Wire, report: Report | undefined): Wire {
  const { tool_choice: choice, ...others } = wire;
  const { type, allowed_tools: allowed } = functionOf(choice);
  if (type !== "allowed_tools") return wire;
  const { mode, tools } = functionOf(allowed);
  const names = new Set(recordsIn(tools).map((tool) => functionOf(tool.function).name));
  const left = recordsIn(wire.tools).filter((tool) => names.has(functionOf(tool.function).name));
  if (left.length > 0) return { ...others, tools: left, tool_choice: mode === "required" ? "required" : "auto" };
  report?.("tool_choice");
  return others;
}

function genericChat(wire: Wire): Record<string, unknown> {
  const { model: _, messages, tools, tool_choice: choice, stop, stream_options: __, ...settings } = wire;
  return {
    apiFormat: "GENERIC",
    messages: recordsIn(messages).map(messageOf),
    ...renamed(settings),
    ...(stop !== undefined && stop !== null && { stop: [stop].flat() }),
    ...(Array.isArray(tools) && tools.length > 0 && { tools: recordsIn(tools).map(toolOf) }),
    ...(choice !== undefined && choice !== null && { toolChoice: choiceOf(choice) }),
  };
}

function cohereChat(wire: Wire, report: Report | undefined): Record<string, unknown> {
  const { model: _, messages, tools, tool_choice: choice, stop, stream_options: __, ...settings } = wire;
  const rest: Record<string, unknown> = { ...settings };
  for (const name of lostWithCohere) {
    const neutral = !rest[name] || (name === "n" && rest[name] === 1);
    if (!neutral) report?.(name);
    delete rest[name];
  }
  if (choice !== undefined && choice !== null && choice !== "auto" && choice !== "none") report?.("tool_choice");
  const offered = choice === "none" ? [] : recordsIn(tools);
  return {
    apiFormat: "COHERE",
    ...dialogueOf(messages, report),
    ...renamed(rest),
    ...(stop !== undefined && stop !== null && { stopSequences: [stop].flat() }),
    ...(offered.length > 0 && { tools: offered.map(cohereTool) }),
  };
}

const renamed = (settings: Wire): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [names[name] ?? name, value]),
  );
