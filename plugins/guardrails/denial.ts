import type { Answer, ChatResponse, CompletionResponse, Exchange, Format, GatewayRequest } from "../../core/index.ts";

const deniedStatus = 446;
const message = "A guardrail denied this request or its answer; hook_results says which one.";

/** What a client is told of a denial inside its stream. */
export const denialDetail = { message, type: "hooks_failed" } as const;

/** Has records say that it was denied, whatever status its client was given. */
export function recordDenial({ attempt }: Exchange): void {
  if (attempt) attempt.recordedStatus = deniedStatus;
}

/** Has the answer that is denied paid for, though its client is not told of it. */
export function withhold(response: Answer["response"], { attempt }: Exchange): void {
  if (attempt && response && "choices" in response) attempt.withheld = response;
}

/**
 * The answer in place of one that is denied: an error, or with `soft` an answer of the model's that says so, where the
 * operation has one that could (guardrails.md section 4). Records count both as denials.
 */
export function denial(request: GatewayRequest, exchange: Exchange, soft: boolean, format?: Format): Answer {
  const response = soft ? softResponse(request, exchange, format) : undefined;
  if (response) {
    recordDenial(exchange);
    return { kind: "answer", status: 200, response };
  }
  const error = { message, type: "hooks_failed", param: null, code: null };
  return { kind: "answer", status: deniedStatus, body: { error } };
}

/**
 * Formats whose clients take an answer for whole only where it ended in the usual way, in all their dialects. Cohere's has no other
 * end but a failure; Google's SDK before `@google/genai` throws in place of a text that ended in `SAFETY`.
 */
const usuallyEnded = new Set(["anthropic-messages", "openai-responses", "cohere-chat", "gemini", "gemini-list"]);

function softResponse(
  { operation, model }: GatewayRequest,
  { receivedAt }: Pick<Exchange, "receivedAt">,
  format: Format | undefined,
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
  const usual = usuallyEnded.has(format?.dialectOf ?? format?.name ?? "");
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
