import {
  type CompletionRequest,
  compact,
  extraIn,
  type Fields,
  fieldsBeyond,
  GatewayError,
  mustBe,
  ownFields,
  reportForeign,
  saidStops,
} from "../../core/index.ts";
import { formatName } from "./fields.ts";
import { wireRequest } from "./wire.ts";

interface Mistake {
  readonly param: string;
  readonly message: string;
}
type Wire = ReturnType<typeof wireRequest.parse>;

const mistake = (param: string, accepted: string, value: unknown): Mistake => ({
  param,
  message: mustBe(param, accepted, value),
});

/** Checks every bound of the API, so that a request that cannot succeed costs no call. All mistakes are listed. */
export function decodeRequest(body: unknown): CompletionRequest {
  const result = wireRequest.safeParse(body);
  const prompt = result.success ? result.data.prompt : (body as Fields | null)?.prompt;
  const mistakes = result.success
    ? together(result.data)
    : result.error.issues.map((issue) => fieldMistake(issue.path, issue.message, body));
  const wrongPrompt = promptMistake(prompt);
  if (wrongPrompt && !mistakes.some(({ param }) => param === "body")) mistakes.push(wrongPrompt);
  const [first, ...others] = mistakes;
  if (first) {
    const errors = mistakes.map(({ message }) => message);
    const details = { param: first.param, ...(others.length > 0 && { errors }) };
    throw new GatewayError("invalid_request", first.message, details);
  }
  return canonical(result.success ? result.data : wireRequest.parse(body));
}

function fieldMistake(path: readonly PropertyKey[], accepted: string, body: unknown): Mistake {
  let value = body;
  for (const key of path) value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  return mistake(path.map(String).join(".") || "body", accepted, path.length === 0 ? (value ?? null) : value);
}

/** Fields that exclude each other. */
function together({ best_of: bestOf, n, stream, stream_options: options }: Wire): Mistake[] {
  const mistakes: Mistake[] = [];
  if (typeof bestOf === "number" && typeof n === "number" && bestOf <= n)
    mistakes.push(mistake("best_of", `greater than n, which is ${n}`, bestOf));
  if (typeof bestOf === "number" && stream)
    mistakes.push(mistake("best_of", "absent when stream is true: its results cannot be streamed", bestOf));
  if (options && !stream) mistakes.push(mistake("stream_options", "absent unless stream is true", options));
  return mistakes;
}

const prompts = "a string, a list of strings, a list of token ids, a list of such lists, or null";

/** One of four shapes; a list must not be empty, and holds one kind of item. */
function promptMistake(prompt: unknown): Mistake | undefined {
  if (prompt === null || typeof prompt === "string") return undefined;
  if (!Array.isArray(prompt)) return mistake("prompt", prompts, prompt);
  const [first] = prompt;
  if (prompt.length === 0) return mistake("prompt", "a list with at least one item", prompt);
  if (typeof first === "string") return itemMistake(prompt, "prompt", (item) => typeof item === "string", "a string");
  if (typeof first === "number") return itemMistake(prompt, "prompt", Number.isInteger, "an integer");
  if (!Array.isArray(first)) return mistake("prompt[0]", "a string, an integer or a list of integers", first ?? null);
  const lists = itemMistake(
    prompt,
    "prompt",
    (item) => Array.isArray(item) && item.length > 0,
    "a list of at least one integer",
  );
  if (lists) return lists;
  for (const [at, tokens] of prompt.entries()) {
    const wrong = itemMistake(tokens, `prompt[${at}]`, Number.isInteger, "an integer");
    if (wrong) return wrong;
  }
  return undefined;
}

function itemMistake(
  items: readonly unknown[],
  path: string,
  isItem: (item: unknown) => boolean,
  accepted: string,
): Mistake | undefined {
  const at = items.findIndex((item) => !isItem(item));
  return at < 0 ? undefined : mistake(`${path}[${at}]`, accepted, items[at] ?? null);
}

function canonical(wire: Wire): CompletionRequest {
  const unread = fieldsBeyond(wire, wireRequest);
  const { include_usage: includeUsage, ...options } = wire.stream_options ?? {};
  if (Object.keys(options).length > 0) unread.stream_options = options;
  return {
    model: wire.model,
    stream: wire.stream === true,
    ...compact({
      prompt: wire.prompt as CompletionRequest["prompt"],
      includeUsage,
      bestOf: wire.best_of,
      echo: wire.echo,
      frequencyPenalty: wire.frequency_penalty,
      presencePenalty: wire.presence_penalty,
      logitBias: wire.logit_bias,
      logprobs: wire.logprobs,
      maxTokens: wire.max_tokens,
      n: wire.n,
      seed: wire.seed,
      stop: typeof wire.stop === "string" ? [wire.stop] : wire.stop,
      suffix: wire.suffix,
      temperature: wire.temperature,
      topP: wire.top_p,
      user: wire.user,
    }),
    ...extraIn(formatName, unread),
  };
}

/** Every canonical field has a place here: only fields of other formats can be lost. */
export function encodeRequest(request: CompletionRequest, report: (dropped: string) => void): Fields {
  const { extra, includeUsage } = request;
  reportForeign(formatName, extra, "", report);
  const { stream_options: options, ...own } = ownFields(formatName, extra);
  return {
    model: request.model,
    prompt: request.prompt ?? null,
    ...compact({
      best_of: request.bestOf,
      echo: request.echo,
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
      logit_bias: request.logitBias,
      logprobs: request.logprobs,
      max_tokens: request.maxTokens,
      n: request.n,
      seed: request.seed,
      stop: saidStops(request.stop),
      stream: request.stream || undefined,
      suffix: request.suffix,
      temperature: request.temperature,
      top_p: request.topP,
      user: request.user,
    }),
    ...own,
    ...((includeUsage !== undefined || options !== undefined) && {
      stream_options: { ...compact({ include_usage: includeUsage }), ...(options as Fields | undefined) },
    }),
  };
}
