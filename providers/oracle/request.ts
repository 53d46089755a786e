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

/** A chat completion request as a GENERIC chat of this vendor. */
export function chatDetails(wire: Wire, compartmentId: string, servingType: string): Record<string, unknown> {
  const { model, messages, tools, tool_choice: choice, stop, stream_options: _, ...settings } = wire;
  const chatRequest: Record<string, unknown> = { apiFormat: "GENERIC", messages: recordsIn(messages).map(messageOf) };
  for (const [name, value] of Object.entries(settings)) if (value !== null) chatRequest[names[name] ?? name] = value;
  if (stop !== undefined && stop !== null) chatRequest.stop = [stop].flat();
  if (Array.isArray(tools) && tools.length > 0) chatRequest.tools = recordsIn(tools).map(toolOf);
  if (choice !== undefined && choice !== null) chatRequest.toolChoice = choiceOf(choice);
  const serving = servingType === "DEDICATED" ? { servingType, endpointId: model } : { servingType, modelId: model };
  return { compartmentId, servingMode: serving, chatRequest };
}
