import {
  type CompletionRequest,
  compact,
  type Extra,
  extrasOf,
  type Fields,
  isRecord,
  lookUp,
  objectAt,
  refuse,
  saysNothing,
} from "../../../core/index.ts";
import type { Report } from "../fields.ts";
import type { Family } from "./family.ts";
import { put, valueAt } from "./path.ts";

/** No client speaks these shapes: fields only one format knows are always another one's. */
export const { reportOthers: reportLost } = extrasOf("");

/** What a model is asked. */
export interface Asked {
  readonly prompt: string;
  /** By their public names; without those that say nothing. */
  readonly settings: Readonly<Fields>;
  readonly stream: boolean;
  /** Fields only some format knows: those that are settings of the family are carried. */
  readonly extra?: Extra | undefined;
}

/** Values that ask for nothing: leaving them out loses nothing. */
const asksNothing: Readonly<Record<string, unknown>> = {
  n: 1,
  best_of: 1,
  echo: false,
  frequency_penalty: 0,
  presence_penalty: 0,
  suffix: "",
};

export function encodeAsked(family: Family, { prompt, settings, stream, extra }: Asked, report: Report): Fields {
  const wire: Fields = {};
  put(wire, family.prompt, wrapped(family, prompt));
  const tell = (name: string, value: unknown): boolean => {
    const path = lookUp(family.settings, name);
    if (path !== undefined) put(wire, path, value);
    return path !== undefined;
  };
  const { most } = family;
  if (typeof settings.n === "number" && most !== undefined && settings.n > most)
    refuse("n", `an integer from 1 to ${most} for this model`, settings.n);
  for (const [name, value] of Object.entries(settings))
    if (!tell(name, value) && value !== lookUp(asksNothing, name)) report(name);
  const lost = Object.entries(extra?.fields ?? {}).filter(([name, value]) => saysNothing(value) || !tell(name, value));
  if (extra) reportLost({ ...extra, fields: Object.fromEntries(lost) }, "", report);
  if (stream && family.asksForStream) wire.stream = true;
  return wire;
}

/** A prompt that is a dialogue already stays as it is. */
function wrapped({ dialogue }: Family, prompt: string): string {
  if (!dialogue || prompt.includes(dialogue.before.trimEnd())) return prompt;
  return dialogue.before + prompt + dialogue.after;
}

function unwrapped({ dialogue }: Family, prompt: string): string {
  if (!dialogue?.before || !prompt.startsWith(dialogue.before) || !prompt.endsWith(dialogue.after)) return prompt;
  const inner = prompt.slice(dialogue.before.length, -dialogue.after.length);
  return inner.includes(dialogue.before.trimEnd()) ? prompt : inner;
}

/** One text in: these models take one at a time, and no token ids. */
function onlyText(prompt: CompletionRequest["prompt"]): string {
  const [text, ...others] = Array.isArray(prompt) ? prompt : [prompt];
  return typeof text === "string" && others.length === 0
    ? text
    : refuse("prompt", "one text: this model completes one at a time", prompt);
}

export const encodeCompletion = (family: Family, request: CompletionRequest, report: Report): Fields =>
  encodeAsked(
    family,
    {
      prompt: onlyText(request.prompt),
      settings: compact({
        best_of: request.bestOf,
        echo: request.echo,
        frequency_penalty: request.frequencyPenalty,
        presence_penalty: request.presencePenalty,
        logit_bias: request.logitBias,
        logprobs: request.logprobs,
        max_tokens: request.maxTokens,
        n: request.n,
        seed: request.seed,
        stop: request.stop,
        suffix: request.suffix,
        temperature: request.temperature,
        top_p: request.topP,
        user: request.user,
      }),
      stream: request.stream,
      extra: request.extra,
    },
    report,
  );

/**
 * Reads a request as the vendor would, for those who stand in for it; they put the model, and whether to stream, into it
 * from the path.
 */
export function decodeCompletion(family: Family, body: unknown): CompletionRequest {
  const wire = objectAt(body, "");
  const prompt = valueAt(wire, family.prompt);
  const said = (name: string): unknown => {
    const path = lookUp(family.settings, name);
    return path === undefined ? undefined : valueAt(wire, path);
  };
  const number = (name: string) => {
    const value = said(name);
    return typeof value === "number" ? value : undefined;
  };
  const [stop, bias, user] = [said("stop"), said("logit_bias"), said("user")];
  return {
    model: typeof wire.model === "string" ? wire.model : "",
    stream: wire.stream === true,
    prompt: unwrapped(family, typeof prompt === "string" ? prompt : refuse(family.prompt, "a string", prompt)),
    ...compact({
      maxTokens: number("max_tokens"),
      temperature: number("temperature"),
      topP: number("top_p"),
      n: number("n"),
      frequencyPenalty: number("frequency_penalty"),
      presencePenalty: number("presence_penalty"),
      stop: Array.isArray(stop) ? stop.filter((one) => typeof one === "string") : undefined,
      logitBias: isRecord(bias) ? (bias as Record<string, number>) : undefined,
      user: typeof user === "string" ? user : undefined,
    }),
  };
}
