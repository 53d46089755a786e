import type { Answer, ChatResponse, CompletionResponse, Exchange, GatewayRequest } from "../../core/index.ts";

const deniedStatus = 446;
const message = "A guardrail denied this request or its answer; hook_results says which one.";

/** What a client is told of a denial inside its stream. */
export const denialDetail = { message, type: "hooks_failed" } as const;

/** Has records say that it was denied, whatever status its client was given. */
export function recordDenial({ attempt }: Exchange): void {
  if (attempt) attempt.recordedStatus = deniedStatus;
}

/**
 * The answer in place of one that is denied: an error, or with `soft` an answer of the model's that says so, where the
 * operation has one that could (guardrails.md section 4). Records count both as denials.
 */
export function denial(request: GatewayRequest, exchange: Exchange, soft: boolean): Answer {
  const response = soft ? softResponse(request, exchange) : undefined;
  if (response) {
    recordDenial(exchange);
    return { kind: "answer", status: 200, response };
  }
  const error = { message, type: "hooks_failed", param: null, code: null };
  return { kind: "answer", status: deniedStatus, body: { error } };
}

/**
 * Formats whose clients take an answer for whole only where it ended in the usual way. Cohere's has no other end but a failure;
 * Google's SDK before `@google/genai` throws in place of a text that ended in `SAFETY`.
 */
const usuallyEnded = new Set([
  ...["anthropic-messages", "anthropic-messages-bedrock", "anthropic-messages-vertex"],
  ...["openai-responses", "cohere-chat", "gemini", "gemini-list"],
]);

function softResponse(
  { operation, model, format }: GatewayRequest,
  { receivedAt }: Pick<Exchange, "receivedAt">,
): ChatResponse | CompletionResponse | undefined {
  // Without an id, as each format makes one of its own (inference-api.md section 7.3).
  const head = {
    ...(model !== undefined && { model }),
    created: Math.floor(receivedAt / 1000),
    usage: { inputTokens: 0, outputTokens: 0 },
  };
  if (operation === "complete")
    return { ...head, choices: [{ index: 0, text: message, finishReason: "content-filter" }] };
  if (operation !== "chat") return undefined;
  const usual = usuallyEnded.has(format ?? "");
  return {
    ...head,
    choices: [
      {
        index: 0,
        content: [{ type: "text", text: message }],
        finishReason: usual ? "stop" : "content-filter",
      },
    ],
  };
}
