import {
  type ChatResponse,
  type Choice,
  compact,
  type EncodeContext,
  type Extra,
  type Fields,
  type FinishReason,
  isRecord,
  ownFields,
  type StartChunk,
  type Usage,
} from "../../../core/index.ts";
import { formatName } from "../fields.ts";
import { CallProofs } from "../proof.ts";
import { encodeAnswerPart } from "./encode-part.ts";
import { encodeFinishReason } from "./finish-reason.ts";
import { encodeLogprobs } from "./logprobs.ts";
import { Measured } from "./measured.ts";
import { encodeUsage } from "./usage.ts";
import { GroundingWriter } from "./write-grounding.ts";

export function encodeResponse(response: ChatResponse, context: EncodeContext): Fields {
  const { choices, usage } = response;
  const [only] = choices;
  const blocked = only?.content.length === 0 && isBlocked(response.extra);
  return Object.assign(
    choices.length > 0 && !blocked ? { candidates: choices.map(encodeCandidate) } : {},
    usageField(usage, only?.extra),
    encodeHead(response, context),
    headFields(response.extra),
  );
}

function encodeCandidate(choice: Choice): Fields {
  const { index, content, finishReason, rawFinishReason, logprobs, extra } = choice;
  const refused = content.some(({ type }) => type === "refusal");
  const parts: Fields[] = [];
  const proofs = new CallProofs();
  const grounding = new GroundingWriter();
  for (const part of content) {
    const { text = "", citations = [] } = part.type === "text" ? part : {};
    if (citations.length > 0)
      grounding.add(citations, { whole: new Measured(text), start: 0, partIndex: parts.length, text });
    const wire = encodeAnswerPart(part);
    parts.push(...(part.type === "tool-call" ? wire.map((call) => proofs.mark(call)) : wire));
  }
  return compact({
    content: { parts, role: "model" },
    ...encodeEnding({ reason: finishReason, rawReason: rawFinishReason, extra }, index, refused, grounding),
    logprobsResult: encodeLogprobs(logprobs),
  });
}

interface Ending {
  readonly reason: FinishReason;
  readonly rawReason?: string | undefined;
  readonly extra?: Extra | undefined;
}

/** What is said of a candidate at its end. What its own vendor says it is grounded on says more than its citations do. */
export function encodeEnding(
  { reason, rawReason, extra }: Ending,
  index: number,
  refused: boolean,
  grounding: GroundingWriter,
): Fields {
  const { usageMetadata: _, finish_message: finishMessage, ...fields } = ownFields(formatName, extra);
  return {
    finishReason: encodeFinishReason(reason, rawReason, refused),
    index,
    ...(finishMessage !== undefined && { finishMessage }),
    ...(fields.groundingMetadata === undefined && compact({ groundingMetadata: grounding.written() })),
    ...fields,
  };
}

export function usageField(usage: Usage | undefined, extra: Extra | undefined): Fields {
  const { usageMetadata: more } = ownFields(formatName, extra);
  const own = isRecord(more) ? more : undefined;
  return usage || own ? { usageMetadata: encodeUsage(usage ?? {}, own) } : {};
}

/** What every answer and every frame of a stream says of where it comes from. */
export const encodeHead = ({ id, model }: Omit<StartChunk, "type">, context: EncodeContext): Fields => ({
  modelVersion: model ?? context.model,
  responseId: id ?? context.id,
});

export const headFields = (extra: Extra | undefined): Readonly<Fields> => ownFields(formatName, extra);

/** Whether the vendor refused the prompt: then there is no candidate. */
export const isBlocked = (extra: Extra | undefined): boolean => {
  const { promptFeedback } = ownFields(formatName, extra);
  return isRecord(promptFeedback) && promptFeedback.blockReason !== undefined;
};
