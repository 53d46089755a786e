import { CheckError, type CheckTools, z } from "../../../core/index.ts";
import { answerAs } from "../answer-as.ts";
import { credentialsOf } from "../credentials.ts";
import { httpsAt } from "./address.ts";

const answer = z.looseObject({
  status: z.string(),
  summary: z.string().nullish(),
  result: z.record(z.string(), z.unknown()).nullish(),
});

/** Asks a service of Pangea, which answers with a status of its own (guardrails.md section 13.16). */
export async function askPangea(tools: CheckTools, service: string, path: string, body: object) {
  const { apiKey, domain } = credentialsOf(tools, { apiKey: z.string().min(1), domain: z.string().min(1) });
  const { json } = await tools.ask({
    url: `${httpsAt(`${service}.${domain}`)}${path}`,
    headers: { ...tools.forwarded, authorization: `Bearer ${apiKey}` },
    body,
  });
  const { status, summary, result } = answerAs(answer, json);
  if (status !== "Success" || !result)
    throw new CheckError(`The service answered with the status ${status}.`, { data: { status } });
  return { summary: summary ?? null, result };
}
