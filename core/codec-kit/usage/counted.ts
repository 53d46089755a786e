import { raise } from "../../errors/gateway-error.ts";
import type { ChatRequest } from "../../model/chat.ts";
import type { CountResponse } from "../../model/count.ts";
import { readErrorBody } from "../error-body.ts";
import { extraIn, leftovers } from "../fields/extra.ts";
import { compact, isRecord } from "../records.ts";
import { tokenCount } from "./counts.ts";

/** A chat request without what only says how its answer is to be made: that is no input, and not lost where it is left out. */
export function counted(request: ChatRequest): ChatRequest {
  const { model, messages, tools, toolChoice, parallelToolCalls, responseFormat, reasoning, extra } = request;
  return {
    model,
    messages,
    stream: false,
    ...compact({ tools, toolChoice, parallelToolCalls, responseFormat, reasoning, extra }),
  };
}

/** The count in an answer of a format. Throws `upstream_invalid` where there is none: nothing is estimated. */
export function countIn(format: string, field: string, body: unknown): CountResponse {
  const wire = isRecord(body) ? body : {};
  const inputTokens = tokenCount(wire[field]);
  if (inputTokens === undefined)
    raise(
      "upstream_invalid",
      `The answer holds no count of tokens: ${readErrorBody(body)?.message ?? `${field} is missing`}`,
    );
  return { inputTokens, ...extraIn(format, leftovers(wire, new Set([field]))) };
}
