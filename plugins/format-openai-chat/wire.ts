import { z } from "zod";
import { lenientNumber, lenientText, lenientWord } from "../../core/index.ts";

/** Requests and answers of the chat completions API: only the fields that are read. Everything else travels as it is. */

const text = z.string().nullish();
const number = z.number().nullish();
const flag = z.boolean().nullish();
const record = z.record(z.string(), z.unknown());
const list = z.array(z.unknown());
const textOrParts = z.union([z.string(), list], { error: "a string or a list of parts" });

export const cacheControl = z.looseObject({ ttl: text });

export const wireRequest = z.looseObject({
  model: text,
  messages: list.min(1),
  stream: flag,
  stream_options: z.looseObject({ include_usage: flag }).nullish(),
  max_tokens: number,
  max_completion_tokens: number,
  temperature: number,
  top_p: number,
  top_k: number,
  n: number,
  stop: z.union([z.string(), z.array(z.string())], { error: "a string or a list of strings" }).nullish(),
  presence_penalty: number,
  frequency_penalty: number,
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: flag,
  top_logprobs: number,
  seed: number,
  response_format: z.looseObject({ type: z.string() }).nullish(),
  tools: list.nullish(),
  tool_choice: z.unknown().optional(),
  functions: z.unknown().optional(),
  function_call: z.unknown().optional(),
  parallel_tool_calls: flag,
  user: text,
  reasoning_effort: text,
  thinking: z.looseObject({ type: z.string() }).nullish(),
  service_tier: text,
});

export const jsonSchemaFormat = z.looseObject({
  json_schema: z.looseObject({ name: text, description: text, schema: record.nullish(), strict: flag }),
});
export const thinkingSwitch = z.looseObject({ type: z.string(), budget_tokens: number, display: text });

export const wireMessage = z.looseObject({ role: z.string() });
export const instructions = z.looseObject({
  role: z.string(),
  content: textOrParts,
  name: text,
  cache_control: cacheControl.nullish(),
});
export const assistant = z.looseObject({
  role: z.string(),
  content: textOrParts.nullish(),
  content_blocks: list.nullish(),
  content_parts: list.nullish(),
  refusal: text,
  tool_calls: list.nullish(),
  function_call: z.looseObject({ name: z.string(), arguments: z.string() }).nullish(),
  name: text,
  cache_control: cacheControl.nullish(),
});
export const toolMessage = z.looseObject({
  role: z.string(),
  content: textOrParts,
  tool_call_id: z.string(),
  /** The tool's, which its call has: OpenAI knows no such field, many clients write it, and some vendors want it. */
  name: z.unknown().optional(),
  cache_control: cacheControl.nullish(),
});
export const functionMessage = z.looseObject({ role: z.string(), content: textOrParts.nullish(), name: z.string() });

export const wirePart = z.looseObject({ type: z.string() });
/** What is said of caches with a part: the gateway's own extension, and the vendor's breakpoint. */
const markers = { cache_control: cacheControl.nullish(), prompt_cache_breakpoint: record.nullish() };

export const textPart = z.looseObject({ type: z.string(), text: z.string(), ...markers });
export const imageUrl = z.looseObject({ url: z.string(), detail: text, mime_type: text });
export const imagePart = z.looseObject({
  type: z.string(),
  image_url: z.union([z.string(), z.looseObject({})], { error: "an object with a url" }),
  ...markers,
});
export const inputAudio = z.looseObject({ data: z.string(), format: z.string() });
export const audioPart = z.looseObject({
  type: z.string(),
  input_audio: inputAudio,
  ...markers,
});
export const fileOf = z.looseObject({
  file_id: text,
  file_data: text,
  file_url: text,
  filename: text,
  file_name: text,
  mime_type: text,
});
export const filePart = z.looseObject({ type: z.string(), file: fileOf, ...markers });
export const addressedPart = z.looseObject({ type: z.string(), document_url: z.string(), document_name: text });
export const refusalPart = z.looseObject({ type: z.string(), refusal: z.string() });
export const thinkingPart = z.looseObject({ type: z.string(), thinking: z.string(), signature: text });
export const redactedPart = z.looseObject({ type: z.string(), data: z.string() });

export const wireTool = z.looseObject({ type: z.string() });
export const functionTool = z.looseObject({
  type: z.string(),
  function: z.looseObject({ name: z.string(), description: text, parameters: record.nullish(), strict: flag }),
  cache_control: cacheControl.nullish(),
});
export const oldFunction = z.looseObject({ name: z.string(), description: text, parameters: record.nullish() });
export const functionCall = z.looseObject({ name: z.string(), arguments: z.string().nullish() });
export const toolCall = z.looseObject({
  id: z.string(),
  type: text,
  function: functionCall,
  cache_control: cacheControl.nullish(),
});
export const customTool = z.looseObject({
  type: z.string(),
  custom: z.looseObject({ name: z.string(), description: text, format: z.unknown().optional() }),
  cache_control: cacheControl.nullish(),
});
const named = z.strictObject({ name: z.string() });

/** A choice among several tools, as far as all of them are such as other formats have. */
export const allowedTools = z.strictObject({
  type: z.literal("allowed_tools"),
  allowed_tools: z.strictObject({
    mode: z.enum(["auto", "required"]),
    tools: z
      .array(
        z.discriminatedUnion("type", [
          z.strictObject({ type: z.literal("function"), function: named }),
          z.strictObject({ type: z.literal("custom"), custom: named }),
        ]),
      )
      .min(1),
  }),
});

export const grammarFormat = z.strictObject({
  type: z.literal("grammar"),
  grammar: z.strictObject({ syntax: z.string(), definition: z.string() }),
});
export const customCall = z.looseObject({
  id: z.string(),
  type: z.string(),
  custom: z.looseObject({ name: z.string(), input: z.string() }),
  cache_control: cacheControl.nullish(),
});

/** Answers are read leniently: vendors that speak this format differ in what they leave out, and in types. */
export const answeredMessage = z.looseObject({
  role: z.unknown().optional(),
  content: z.union([z.string(), list]).nullish(),
  content_blocks: list.nullish(),
  content_parts: list.nullish(),
  refusal: z.unknown().optional(),
  tool_calls: z.array(z.looseObject({})).nullish(),
});
export const answeredChoice = z.looseObject({
  index: lenientNumber,
  message: answeredMessage.nullish(),
  finish_reason: lenientWord,
  logprobs: z.unknown().optional(),
});
export const wireResponse = z.looseObject({
  id: lenientText,
  object: z.unknown().optional(),
  created: lenientNumber,
  model: lenientText,
  provider: z.unknown().optional(),
  choices: z.array(answeredChoice),
  moderation: z.unknown().optional(),
  usage: z.unknown().optional(),
});
