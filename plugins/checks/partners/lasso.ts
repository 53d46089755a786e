import { CheckError, type CheckInput, type CheckResult, type CheckTools, z } from "../../../core/index.ts";
import { answerAs } from "../answer-as.ts";
import { credentialsOf } from "../credentials.ts";
import { baseOf } from "./address.ts";
import { conversationOf } from "./conversation.ts";

const answer = z.looseObject({
  violations_detected: z.boolean().nullish(),
  findings: z.record(z.string(), z.array(z.looseObject({ action: z.string().nullish() }))).nullish(),
});

export interface LassoSession {
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
}

/** Has Lasso classify a conversation, by version 3 of its API (guardrails.md section 13.14). */
export async function classified(
  input: CheckInput,
  { conversationId, userId }: LassoSession,
  tools: CheckTools,
): Promise<CheckResult> {
  const { apiKey, apiEndpoint } = credentialsOf(tools, {
    apiKey: z.string().min(1),
    apiEndpoint: z.url().default("https://server.lasso.security"),
  });
  const { json } = await tools.ask({
    url: `${baseOf(apiEndpoint)}/gateway/v3/classify`,
    headers: { ...tools.forwarded, "lasso-api-key": apiKey },
    body: {
      messages: conversationOf(input),
      messageType: input.target === "request" ? "PROMPT" : "COMPLETION",
      ...(conversationId !== undefined && { sessionId: conversationId }),
      ...(userId !== undefined && { userId }),
    },
  });
  const data = answerAs(answer, json);
  if (!data.findings && data.violations_detected !== false)
    throw new CheckError("The service did not say what it found.", { data });
  const found = Object.values(data.findings ?? {}).flat();
  return { verdict: !found.some(({ action }) => action === "BLOCK"), data };
}
