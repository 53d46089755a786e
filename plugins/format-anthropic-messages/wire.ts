import { z } from "zod";

/** The wire shapes, as far as they are read. Everything else survives as leftovers of these objects. */

const text = z.string().nullish();
const number = z.number().nullish();
const cacheControl = z.looseObject({}).nullish();
const blocks = z.union([z.string(), z.array(z.unknown())], { error: "text or a list of content blocks" });

export const requestWire = z.looseObject({
  model: text,
  max_tokens: z
    .int({ error: "the most tokens to generate, an integer of at least 0" })
    .nonnegative({ error: "the most tokens to generate, an integer of at least 0" })
    .nullable(),
  messages: z.array(z.unknown(), { error: "a list of messages" }).min(1, { error: "at least one message" }),
  system: blocks.nullish(),
  stream: z.boolean().nullish(),
  temperature: number,
  top_p: number,
  top_k: z.int().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  tools: z.array(z.unknown()).nullish(),
  tool_choice: z
    .looseObject({ type: z.string(), name: text, disable_parallel_tool_use: z.boolean().nullish() })
    .nullish(),
  metadata: z.looseObject({ user_id: text }).nullish(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: number, display: text }).nullish(),
  output_config: z.looseObject({ effort: text, format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  service_tier: text,
});
export type RequestWire = z.output<typeof requestWire>;

export const messageWire = z.looseObject({
  role: z.enum(["user", "assistant", "system"], { error: '"user", "assistant" or "system"' }),
  // Instructions may say no more than how to answer from there on (`output_config`).
  content: blocks.nullish(),
});

/** The first look at a block: enough to know which of the shapes below it is. */
export const blockWire = z.looseObject({ type: z.string() }, { error: 'a content block, an object with a "type"' });

export const textWire = z.looseObject({
  type: z.string(),
  text: z.string(),
  citations: z.array(z.unknown()).nullish(),
  cache_control: cacheControl,
});
export const imageWire = z.looseObject({ type: z.string(), source: blockWire, cache_control: cacheControl });
export const documentWire = z.looseObject({
  type: z.string(),
  source: blockWire,
  title: text,
  cache_control: cacheControl,
});
/** What search results have, and documents made of content blocks. */
export const passageWire = z.looseObject({
  type: z.string(),
  title: text,
  source: z.union([z.string(), blockWire]).nullish(),
  context: text,
  content: z.array(z.unknown()).nullish(),
  citations: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
  cache_control: cacheControl,
});
export const thinkingWire = z.looseObject({ type: z.string(), thinking: z.string(), signature: text });
export const redactedWire = z.looseObject({ type: z.string(), data: z.string() });
export const toolUseWire = z.looseObject({
  type: z.string(),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown(), { error: "an object with the arguments" }).nullish(),
  cache_control: cacheControl,
});
export const toolResultWire = z.looseObject({
  type: z.string(),
  tool_use_id: z.string(),
  content: blocks.nullish(),
  is_error: z.boolean().nullish(),
  cache_control: cacheControl,
});

export const inlineSourceWire = z.looseObject({ type: z.string(), media_type: z.string(), data: z.string() });
export const urlSourceWire = z.looseObject({ type: z.string(), url: z.string() });
export const fileSourceWire = z.looseObject({ type: z.string(), file_id: z.string() });

export const toolWire = z.looseObject({
  type: text,
  name: z.string(),
  description: text,
  input_schema: z.record(z.string(), z.unknown(), { error: "a JSON Schema object" }),
  cache_control: cacheControl,
});

export const jsonSchemaWire = z.looseObject({
  type: z.string(),
  schema: z.record(z.string(), z.unknown(), { error: "a JSON Schema object" }),
});

export const answerWire = z.looseObject({
  type: text,
  role: text,
  id: text,
  model: text,
  content: z.array(z.unknown(), { error: "a list of content blocks" }).nullable(),
  stop_reason: text,
  stop_sequence: text,
  usage: z.looseObject({}).nullish(),
});

/** The fields a schema reads: what is left over is kept in `extra`. */
export const fieldsOf = (schema: z.ZodObject): ReadonlySet<string> => new Set(Object.keys(schema.shape));
