import { z } from "zod";
import {
  compact,
  type EncodeContext,
  extraIn,
  type Fields,
  type Format,
  fieldsBeyond,
  isRecord,
  lenientText,
  type ModerationRequest,
  type ModerationResponse,
  ownFields,
  parseAnswer,
  parseRequest,
  readErrorBody,
  reportForeign,
  tokenCount,
  type Usage,
} from "../../core/index.ts";

const formatName = "openai-moderations";
/** What requests mean that name no model (inference-api.md section 15.1). */
const defaultModel = "text-moderation-latest";

const inputs = "a string, or a list of strings or of parts with text and images";
const record = z.record(z.string(), z.unknown());
const request = z.looseObject(
  {
    model: z.string("a string").min(1, "a string that is not empty").nullish(),
    input: z.union([z.string(), z.array(z.union([z.string(), record])).min(1)], inputs),
  },
  "an object",
);

const answer = z.looseObject({
  id: lenientText,
  model: lenientText,
  results: z.array(z.looseObject({ flagged: z.boolean().nullish(), categories: record, category_scores: record })),
  usage: z.unknown().optional(),
});

function decodeRequest(body: unknown): ModerationRequest {
  const wire = parseRequest(request, body);
  return {
    model: wire.model ?? defaultModel,
    input: wire.input,
    ...extraIn(formatName, fieldsBeyond(wire, request)),
  };
}

function encodeRequest({ model, input, extra }: ModerationRequest, report: (dropped: string) => void): Fields {
  reportForeign(formatName, extra, "", report);
  return { model, input, ...ownFields(formatName, extra) };
}

function decodeResponse(body: unknown): ModerationResponse {
  const wire = parseAnswer(answer, body, "a moderation");
  return {
    ...compact({ id: wire.id, model: wire.model }),
    results: wire.results.map((one) => ({
      // Some vendors leave it to the reader of the categories.
      flagged: one.flagged ?? Object.values(one.categories).includes(true),
      categories: one.categories,
      scores: one.category_scores,
      ...extraIn(formatName, fieldsBeyond(one, answer.shape.results.element)),
    })),
    ...compact({ usage: readUsage(wire) }),
    ...extraIn(formatName, compact({ usage: wire.usage, ...fieldsBeyond(wire, answer) })),
  };
}

const encodeResponse = (response: ModerationResponse, context: EncodeContext): Fields => ({
  id: response.id ?? `modr-${context.id}`,
  model: response.model ?? context.model,
  results: response.results.map(({ flagged, categories, scores, extra }) => ({
    flagged,
    categories,
    category_scores: scores,
    ...ownFields(formatName, extra),
  })),
  ...ownFields(formatName, response.extra),
  provider: context.provider,
});

/** OpenAI tells none; vendors that follow it do. */
function readUsage(wire: unknown): Usage | undefined {
  const inputTokens = isRecord(wire) && isRecord(wire.usage) ? tokenCount(wire.usage.prompt_tokens) : undefined;
  return inputTokens === undefined ? undefined : { inputTokens };
}

/** Asked of OpenAI, and of every vendor that speaks its chat API: whether it has moderations is its own to say. */
export const openAiModerations: Format<"moderate"> = {
  name: formatName,
  operation: "moderate",
  defaultModel,
  drops: [],
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeError: readErrorBody,
  answerField: "results",
  readUsage,
  upstream: { path: "/moderations" },
  everywhere: { whoSpeaks: "openai-chat" },
};
