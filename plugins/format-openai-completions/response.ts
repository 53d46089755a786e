import {
  type CompletionChoice,
  type CompletionResponse,
  compact,
  type EncodeContext,
  extraIn,
  type Fields,
  type FinishReason,
  fieldsBeyond,
  lookUp,
  ownFields,
  raise,
  readErrorBody,
  withTier,
} from "../../core/index.ts";
import { formatName } from "./fields.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";
import { wireResponse } from "./wire.ts";

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
};
const words: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "stop",
  other: "stop",
};

/** A missing reason is a stop. */
export function decodeFinishReason(word: string | null | undefined): { reason: FinishReason; raw?: string } {
  if (!word) return { reason: "stop" };
  const reason = lookUp(reasons, word);
  return reason ? { reason } : { reason: "other", raw: word };
}

export const encodeFinishReason = (reason: FinishReason, raw: string | undefined, strict: boolean): string =>
  strict ? words[reason] : (raw ?? words[reason]);

export function decodeResponse(body: unknown): CompletionResponse {
  const result = wireResponse.safeParse(body);
  if (!result.success) {
    const issue = result.error.issues[0];
    const said = readErrorBody(body)?.message ?? `${issue?.path.join(".") || "body"}: ${issue?.message}`;
    return raise("upstream_invalid", `The answer is not a text completion: ${said}`);
  }
  const wire = result.data;
  return {
    ...compact({ id: wire.id || undefined, model: wire.model || undefined, created: wire.created || undefined }),
    choices: wire.choices.map((choice, at): CompletionChoice => {
      const { reason, raw } = decodeFinishReason(choice.finish_reason);
      return {
        index: choice.index ?? at,
        text: choice.text ?? "",
        finishReason: reason,
        ...compact({ rawFinishReason: raw, logprobs: choice.logprobs }),
      };
    }),
    ...compact({ usage: withTier(decodeUsage(wire.usage), wire.service_tier) }),
    ...extraIn(formatName, compact(fieldsBeyond(wire, wireResponse))),
  };
}

/** What every answer and every frame of a stream begins with. */
export const encodeHead = (
  { id, created, model }: Pick<CompletionResponse, "id" | "created" | "model">,
  context: EncodeContext,
): Fields => ({
  id: id ?? `cmpl-${context.id}`,
  object: "text_completion",
  created: created ?? context.now,
  model: model ?? context.model,
  provider: context.provider,
});

export function encodeResponse(response: CompletionResponse, context: EncodeContext): Fields {
  return {
    ...encodeHead(response, context),
    choices: response.choices.map(({ text, index, logprobs, finishReason, rawFinishReason }) => ({
      text,
      index,
      logprobs: logprobs ?? null,
      finish_reason: encodeFinishReason(finishReason, rawFinishReason, context.strict),
    })),
    ...(response.usage && { usage: encodeUsage(response.usage) }),
    ...ownFields(formatName, response.extra),
  };
}
