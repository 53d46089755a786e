import {
  callIdOf,
  compact,
  defineProvider,
  type ErrorDetail,
  leftovers,
  type ModelQuery,
  modelsAt,
  plainEffort,
  raise,
  type Vendor,
  writeJson,
  z,
} from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Answer = Record<string, unknown>;

const isWire = (value: unknown): value is Wire => typeof value === "object" && value !== null && !Array.isArray(value);

/** The model is the path, with its slashes: `/@cf/meta/llama-3.1-8b-instruct`. */
function path({ model }: { readonly model: string }): string {
  const steps = model.split("/");
  if (steps.some((step) => /^\.*$/.test(step)))
    raise("invalid_request", `model is "${model}"; expected a name such as @cf/meta/llama-3.1-8b-instruct.`, {
      param: "model",
    });
  return `/${steps.map((step) => encodeURIComponent(step).replace("%40", "@")).join("/")}`;
}

/** The usage of a stream comes without being asked for. */
const body = ({ model: _, stream_options: __, ...rest }: Wire): Answer => rest;

/** How much is thought (`workers-ai-provider`, the vendor's own); null is no thinking at all. */
const effortOf = (effort: unknown): unknown => (effort === "none" ? null : plainEffort(effort));

function chatBody(wire: Wire): Answer {
  const { reasoning_effort: effort, response_format: format, ...rest } = body(wire);
  return {
    ...rest,
    ...(effort !== undefined && { reasoning_effort: effortOf(effort) }),
    ...(format !== undefined && { response_format: bareSchema(format) }),
  };
}

/** The vendor wants a schema as it is, without what OpenAI has around it (cloudflare/ai issue 559). */
function bareSchema(format: unknown): unknown {
  if (!isWire(format) || format.type !== "json_schema" || !isWire(format.json_schema)) return format;
  const { schema, name, description } = format.json_schema;
  if (!isWire(schema)) return format;
  return { ...format, json_schema: compact({ title: name, description, ...schema }) };
}

/** Models that have no streams here: asked for one they answer with nothing (`workers-ai-provider`). */
const hasNoStreams = (model: string): boolean => /gpt-oss/.test(model);

/** Some failures come with a status that says nothing of them. */
function refuseFailed(wire: Wire): void {
  if (wire.success !== false) return;
  const { message = "without saying why" } = readError(200, wire) ?? {};
  raise("upstream_invalid", `The vendor failed: ${message}`);
}

/** Answers stand in an envelope, or, as some newer models send them, alone. */
function resultOf(wire: Wire): Wire {
  refuseFailed(wire);
  return isWire(wire.result) ? wire.result : wire;
}

/** In JSON mode an answer is the JSON itself, and a token that is a number comes as one (cloudflare/ai#302). */
const textOf = ({ response }: Wire): string =>
  typeof response === "string" ? response : response === undefined || response === null ? "" : writeJson(response);

function callOf(call: unknown, index: number): Answer {
  const { name, arguments: given = {}, ...rest } = isWire(call) ? call : {};
  if (isWire(rest.function)) return { index, ...rest };
  const text = typeof given === "string" ? given : writeJson(given);
  return { index, id: callIdOf(name, text, index), type: "function", function: { name, arguments: text } };
}

const callsOf = ({ tool_calls: calls }: Wire): Answer[] => (Array.isArray(calls) ? calls.map(callOf) : []);

const isAnswer = (result: Wire) => "response" in result || "tool_calls" in result;

function chatOf(wire: Wire): Answer {
  const result = resultOf(wire);
  if (!isAnswer(result)) return { ...result };
  const calls = callsOf(result);
  const message = { role: "assistant", content: textOf(result), ...(calls.length > 0 && { tool_calls: calls }) };
  return { choices: [{ index: 0, message, finish_reason: reasonOf(calls) }], usage: result.usage };
}

const reasonOf = (calls: readonly unknown[]) => (calls.length > 0 ? "tool_calls" : "stop");

/** The last frame says nothing but the usage, where there is one; there is no other word of the end. */
const isLast = (wire: Wire): boolean => isWire(wire.usage) && textOf(wire) === "";

/** A frame that is no part of an answer: what failed is told as others tell it. */
const otherFrame = (wire: Wire): Answer => {
  const error = readError(200, wire);
  return error ? { error } : { ...wire };
};

/** Calls that come whole end an answer, which the frame with the usage does not know of. */
const callsWhole = ({ tool_calls: calls }: Wire): boolean =>
  Array.isArray(calls) && calls.length > 0 && calls.every((call) => isWire(call) && !isWire(call.function));

function chatFrame(wire: Wire): Answer {
  if (!isAnswer(wire)) return otherFrame(wire);
  const calls = callsOf(wire);
  const delta = { content: textOf(wire), ...(calls.length > 0 && { tool_calls: calls }) };
  const ends = isLast(wire) || callsWhole(wire);
  return { choices: [{ index: 0, delta, finish_reason: ends ? reasonOf(calls) : null }], usage: wire.usage };
}

function completionOf(wire: Wire): Answer {
  const result = resultOf(wire);
  if (!isAnswer(result)) return { ...result };
  return { choices: [{ index: 0, text: textOf(result), finish_reason: "stop" }], usage: result.usage };
}

function completionFrame(wire: Wire): Answer {
  if (!isAnswer(wire)) return otherFrame(wire);
  const finish = isLast(wire) ? "stop" : null;
  return { choices: [{ index: 0, text: textOf(wire), finish_reason: finish }], usage: wire.usage };
}

function vectorsOf(wire: Wire): Answer {
  const { data } = resultOf(wire);
  if (!Array.isArray(data)) return { ...wire };
  return {
    object: "list",
    data: data.map((embedding: unknown, index) => ({ object: "embedding", index, embedding })),
  };
}

/** What embedding models take besides their texts, each its own; that vectors come as base64 is not for them to know. */
const embeddingFields = ["pooling", "truncate_inputs"];
const embeddingKnown = new Set(["model", "input", "encoding_format", ...embeddingFields]);

function textsOf(wire: Wire, report?: (dropped: string) => void): Answer {
  for (const name of Object.keys(leftovers(wire, embeddingKnown) ?? {})) report?.(name);
  const own = embeddingFields.map((name) => [name, wire[name]]);
  return compact({ text: [wire.input].flat(), ...Object.fromEntries(own) });
}

/** `{success: false, errors: [{code, message}]}` */
function readError(_status: number, wire: unknown): ErrorDetail | undefined {
  const { errors } = isWire(wire) ? wire : {};
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  return { message: errors.map((error: Wire) => `Error ${error?.code}:${error?.message}`).join(", ") };
}

interface Place {
  readonly account: string;
  readonly baseUrl?: string;
}

const runUrl = ({ account }: Place): string => `https://api.cloudflare.com/client/v4/accounts/${account}/ai/run`;

/** A base URL of one's own is to end as the vendor's does. */
const aiUrl = (place: Place): string => (place.baseUrl ?? runUrl(place)).replace(/\/run\/*$|\/+$/, "");

const always = ["{"];

const mostPages = 50;

/**
 * The list of models, whose pages say in `result_info` how long they are and how many models there are. Whoever asks for a page has it. A
 * page that is empty, or begins like one before, is the end, whatever is said.
 */
async function listModels(asked: ModelQuery, vendor: Vendor): Promise<Wire> {
  const listed: unknown[] = [];
  const begins = new Set<string>();
  let query = asked;
  for (let page = 1; ; page++) {
    const reply = await vendor.call({ method: "GET", path: vendor.place("/models"), query });
    const wire = await reply.json();
    if (!Array.isArray(wire.result) || asked.page !== undefined) return wire;
    const begin = JSON.stringify(wire.result[0]);
    const known = begin === undefined || begins.has(begin);
    if (!known) listed.push(...wire.result);
    begins.add(begin);
    if (known || page === mostPages || !goesOn(wire.result_info, wire.result.length, listed.length))
      return { ...wire, result: listed, ...(page > 1 && { result_info: { count: listed.length } }) };
    query = { ...asked, page: String(page + 1) };
  }
}

/** Whether more is to come: fewer have come than there are, or, where nobody says how many there are, the page is full. */
function goesOn(info: unknown, here: number, all: number): boolean {
  if (!isWire(info)) return false;
  const { total_count: total, per_page: length } = info;
  return typeof total === "number" ? all < total : typeof length === "number" && here >= length;
}

const chat = {
  format: "openai-chat",
  path,
  rewrite: { when: always, apply: chatBody },
  normalise: chatOf,
  normaliseFrame: chatFrame,
  // Older models count nothing, and say nothing before the terminator.
  lastFrame: { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
} as const;

export default defineProvider({
  name: "workers-ai",
  summary: "Cloudflare Workers AI: open models in an account at Cloudflare.",
  baseUrl: runUrl,
  options: z.strictObject({
    account: z
      .string()
      .regex(/^[A-Za-z0-9]+$/, { error: "an account id of Cloudflare: letters and digits" })
      .describe("The id of the account at Cloudflare."),
  }),
  // Models are listed beside where they are run.
  proxyPath: (path, options) => modelsAt(path, `${aiUrl(options)}/models/search`),
  listModels,
  headerOptions: { account: "workers-ai-account-id" },
  tenantOptions: ["account"],
  operations: {
    chat: [{ ...chat, serves: hasNoStreams, whole: true }, chat],
    complete: {
      format: "openai-completions",
      path,
      rewrite: { when: always, apply: body },
      normalise: completionOf,
      normaliseFrame: completionFrame,
      lastFrame: { choices: [{ index: 0, text: "", finish_reason: "stop" }] },
    },
    embed: {
      format: "openai-embeddings",
      path,
      drops: ["user", "dimensions"],
      rewrite: { when: always, apply: textsOf },
      normalise: vectorsOf,
    },
    image: { format: "workers-ai-images", path },
  },
  readError,
});
