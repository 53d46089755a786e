import { list, must, text, type Wire, wire } from "../conformance/conversations/speaker.ts";

/** What single vendors refuse that others of their format take. */

/** docs.mistral.ai/api, chat completions. Others: "Extra inputs are not permitted". */
const mistralFields: ReadonlySet<string> = new Set([
  ...["model", "messages", "stream", "max_tokens", "temperature", "top_p", "stop", "random_seed", "n", "metadata"],
  ...["response_format", "tools", "tool_choice", "parallel_tool_calls", "presence_penalty", "frequency_penalty"],
  ...["prediction", "prompt_mode", "reasoning_effort", "guardrails", "safe_prompt", "prompt_cache_key", "service_tier"],
]);
const mistralMessages: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content"],
  user: ["role", "content"],
  assistant: ["role", "content", "tool_calls", "prefix"],
  tool: ["role", "content", "tool_call_id", "name"],
};

/** What may follow what: mistral-common, protocol/instruct/validator.py. */
const mistralOrder: Readonly<Record<string, readonly string[]>> = {
  system: ["user", "assistant", "system"],
  user: ["assistant", "system", "user"],
  assistant: ["assistant", "user", "tool"],
  tool: ["assistant", "tool"],
};

export function checkMistral(request: Wire): void {
  for (const name of Object.keys(request)) must(mistralFields.has(name), "Extra inputs are not permitted", name);
  const messages = list(request.messages);
  for (const [at, message] of messages.entries()) {
    const known = mistralMessages[text(message.role)] ?? [];
    for (const name of Object.keys(message))
      must(known.includes(name), "Extra inputs are not permitted", { name, message });
    const ids = [message.tool_call_id ?? "012345678", ...list(message.tool_calls).map(({ id }) => id)];
    // "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9."
    for (const id of ids) must(/^[A-Za-z0-9]{9}$/.test(text(id)), "an id of nine", message);
    const before = messages[at - 1]?.role;
    // "Unexpected role 'user' after role 'tool'", and the same of instructions.
    if (before !== undefined)
      must(mistralOrder[text(before)]?.includes(text(message.role)), "Unexpected role", { before, message });
  }
  for (const tool of list(request.tools)) must(tool.type === "function", "a function", tool);
}

/** "For turns that do perform tool calls, the reasoning_content must be fully passed back" (guides/thinking_mode). */
export function checkDeepSeek(request: Wire): void {
  const answers = list(request.messages).filter(({ role }) => role === "assistant");
  if (wire(request.thinking).type === "disabled" || !answers.some((one) => one.tool_calls)) return;
  for (const one of answers) must(typeof one.reasoning_content === "string", "reasoning_content", one);
  for (const tool of list(request.tools)) must(tool.type === "function", "a function", tool);
}

/** Of tools the vendor runs those that docs.x.ai has; of others it knows functions: "unknown variant `custom`". */
const tools: ReadonlySet<unknown> = new Set([
  "function",
  "web_search",
  "x_search",
  "code_interpreter",
  "mcp",
  "file_search",
]);
const items: ReadonlySet<unknown> = new Set(["message", "function_call", "function_call_output", "reasoning"]);

export function checkFunctionsOnly(request: Wire): void {
  for (const tool of list(request.tools)) {
    must(tools.has(tool.type), "a tool that it knows", tool);
    must(tool.defer_loading === undefined, "a tool that is there", tool);
  }
  for (const item of list(request.input)) {
    must(items.has(item.type ?? "message"), "an item that it knows", item);
    must(item.namespace === undefined, "a function of no group", item);
  }
}

const types: ReadonlySet<unknown> = new Set(["object", "array", "string", "integer", "number", "boolean", "null"]);

/** "Invalid schema for response_format 'response': 'OBJECT' is not valid under any of the given schemas." */
function checkTypes(schema: unknown): void {
  if (Array.isArray(schema)) for (const one of schema) checkTypes(one);
  if (typeof schema !== "object" || schema === null) return;
  const { type, properties = {}, ...rest } = schema as Wire;
  for (const one of [type ?? "null"].flat()) must(types.has(one), "a type that JSON Schema has", schema);
  for (const one of [...Object.values(wire(properties)), rest.items, rest.anyOf]) checkTypes(one);
}

/**
 * docs: guides/latest-model, parameter compatibility: how to sample is a question where the model does not reason. GPT-5.6 reasons unless it is told not to.
 * "Unsupported parameter: 'top_p' is not supported with this model."
 */
export function checkOpenAi(request: Wire): void {
  checkTypes(wire(wire(request.response_format).json_schema).schema ?? wire(wire(request.text).format).schema);
  const effort = request.reasoning_effort ?? wire(request.reasoning).effort;
  if (effort === "none") return;
  for (const name of ["temperature", "top_p", "logprobs", "top_logprobs"])
    must(request[name] === undefined, "Unsupported parameter", name);
}

/** docs: build-with-claude/structured-outputs. "For 'object' type, 'additionalProperties' must be explicitly set to false". */
export function checkAnthropic(request: Wire): void {
  const { schema } = wire(wire(request.output_config).format);
  checkTypes(schema);
  if (schema !== undefined) must(wire(schema).additionalProperties === false, "closed objects", schema);
}

export function checkCohere({ response_format: format }: Wire): void {
  checkTypes(wire(format).json_schema);
}
