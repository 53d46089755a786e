import {
  type Format,
  GatewayError,
  type GatewayRequest,
  type RequestOrigin,
  requestFrom,
} from "../../../core/index.ts";
import type { PromptCall } from "../merge.ts";
import { renderPrompt } from "../render-prompt.ts";
import type { FoundPrompt } from "./catalogue.ts";

export type Formats = Pick<ReadonlyMap<string, Format>, "get">;

/** What a template renders to is said to clients and vendors in these formats. */
const formatNames = { chat: "openai-chat", completion: "openai-completions" } as const;

export function formatFor(type: keyof typeof formatNames, formats: Formats): Format {
  const name = formatNames[type];
  const format = formats.get(name);
  if (format) return format;
  throw new GatewayError("internal", `No plugin provides the format "${name}": add format-${name} to the config file.`);
}

/** The request that a call of a prompt comes to. Whether it streams is the call's to say (prompts.md section 5.2). */
export function madeRequest(found: FoundPrompt, call: PromptCall, formats: Formats): GatewayRequest {
  const { id, slug, number, versionId, version, links } = found;
  const { request: rendered, missing } = renderPrompt(version, links, call);
  const { stream, stream_options, model, ...members } = rendered;
  const { overrides } = call;
  const body = {
    ...members,
    ...(model !== "" && model !== undefined && { model }),
    ...("stream" in overrides && stream !== undefined && { stream }),
    ...((overrides.stream === true || "stream_options" in overrides) &&
      stream_options !== undefined && { stream_options }),
  };
  const request = requestFrom(formatFor(version.content.type, formats), body, {
    ...destinationOf(version),
    prompt: { id, slug, version: number, versionId, variables: call.variables },
    told: toldOf(number, missing),
  });
  // Their bounds are checked for every client of this format; decoding does that.
  if (version.content.type === "completion") void request.body;
  return request;
}

/** What of that request says whom it is for, without rendering anything. */
export function aboutRequest(
  { version }: FoundPrompt,
  { overrides }: PromptCall,
): Pick<GatewayRequest, "model" | "origin"> {
  const model = Object.hasOwn(overrides, "model") ? overrides.model : version.model;
  return {
    model: typeof model === "string" ? model : undefined,
    origin: destinationOf(version),
  };
}

const destinationOf = ({
  provider,
  elsewhere,
}: FoundPrompt["version"]): Pick<RequestOrigin, "provider" | "elsewhere"> =>
  provider === null ? {} : { provider, ...(elsewhere && { elsewhere }) };

/** Names of missing variables that fit into a header. */
const mostNamed = 20;

/** Response headers about a rendering (prompts.md sections 5.2 and 6). */
export const toldOf = (number: number, missing: readonly string[]): Record<string, string> => ({
  "prompt-version": String(number),
  ...(missing.length > 0 && {
    "prompt-missing-variables": missing.slice(0, mostNamed).map(encoded).join(),
  }),
});

const longestName = 128;

/** Half of a character has no encoding of its own. */
const encoded = (name: string): string => encodeURIComponent(name.slice(0, longestName).replace(/\p{Cs}/gu, "\ufffd"));
