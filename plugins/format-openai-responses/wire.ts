import { z } from "zod";

/** Requests of the Responses API: only the fields that are read. Everything else travels as it is. */

const text = z.string().nullish();
const number = z.number().nullish();
const flag = z.boolean().nullish();
const record = z.record(z.string(), z.unknown());
const list = z.array(z.unknown());
const object = z.looseObject({}).nullish();

export const cacheControl = z.looseObject({ ttl: text }).nullish();

export const wireRequest = z.looseObject({
  model: text,
  input: z.union([z.string(), list], { error: "a string or a list of items" }).nullish(),
  instructions: z.union([z.string(), list], { error: "a string" }).nullish(),
  stream: flag,
  max_output_tokens: number,
  temperature: number,
  top_p: number,
  top_logprobs: number,
  include: z.array(z.string()).nullish(),
  text: object,
  tools: list.nullish(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: flag,
  reasoning: object,
  thinking: z.looseObject({ type: z.string() }).nullish(),
  user: text,
  service_tier: text,
});

export const textFormat = z.looseObject({ type: z.string() });
export const jsonSchemaFormat = z.looseObject({
  type: z.string(),
  name: text,
  description: text,
  schema: record.nullish(),
  strict: flag,
});
export const thinkingSwitch = z.looseObject({ type: z.string(), budget_tokens: number, display: text });

const textOrParts = z.union([z.string(), list], { error: "a string or a list of parts" });

export const wireItem = z.looseObject({ type: text, role: text });
export const messageItem = z.looseObject({
  type: z.unknown().optional(),
  role: z.string(),
  content: textOrParts,
  cache_control: cacheControl,
});
export const toolMessage = z.looseObject({ call_id: text, tool_call_id: text, content: textOrParts });
export const functionCall = z.looseObject({
  type: z.string(),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  cache_control: cacheControl,
});
export const functionCallOutput = z.looseObject({
  type: z.string(),
  call_id: z.string(),
  output: textOrParts,
  cache_control: cacheControl,
});
export const customCall = z.looseObject({
  type: z.string(),
  call_id: z.string(),
  name: z.string(),
  input: z.string(),
  cache_control: cacheControl,
});
const thought = z.looseObject({ text: z.string() });
export const reasoningItem = z.looseObject({
  type: z.string(),
  summary: z.array(thought).nullish(),
  content: z.array(thought).nullish(),
  encrypted_content: text,
});

export const wirePart = z.looseObject({ type: z.string() });
/** What is said of caches with a part: the gateway's own extension, and the vendor's breakpoint. */
const markers = { cache_control: cacheControl, prompt_cache_breakpoint: record.nullish() };

export const textPart = z.looseObject({ type: z.string(), text: z.string(), ...markers });
export const outputText = z.looseObject({
  type: z.string(),
  text: z.string(),
  annotations: list.nullish(),
  logprobs: z.unknown().optional(),
  cache_control: cacheControl,
});
export const refusalPart = z.looseObject({ type: z.string(), refusal: z.string() });
export const imagePart = z.looseObject({
  type: z.string(),
  image_url: text,
  file_id: text,
  detail: text,
  ...markers,
});
export const filePart = z.looseObject({
  type: z.string(),
  file_id: text,
  file_data: text,
  file_url: text,
  filename: text,
  ...markers,
});
export const audioPart = z.looseObject({
  type: z.string(),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  ...markers,
});

export const wireTool = z.looseObject({ type: z.string() });
export const functionTool = z.looseObject({
  type: z.string(),
  name: z.string(),
  description: text,
  parameters: record.nullish(),
  strict: flag,
  cache_control: cacheControl,
});
export const customTool = z.looseObject({
  type: z.string(),
  name: z.string(),
  description: text,
  format: z.unknown().optional(),
  cache_control: cacheControl,
});
export const namespaceTool = z.looseObject({
  type: z.string(),
  name: z.string(),
  description: text,
  tools: list,
});
/** A choice among several tools, as far as all of them are such as other formats have. */
export const allowedTools = z.strictObject({
  type: z.literal("allowed_tools"),
  mode: z.enum(["auto", "required"]),
  tools: z.array(z.strictObject({ type: z.enum(["function", "custom"]), name: z.string() })).min(1),
});

export const grammarFormat = z.strictObject({
  type: z.literal("grammar"),
  syntax: z.string(),
  definition: z.string(),
});
