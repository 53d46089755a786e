import { CheckError, type CheckTools, z } from "../../core/index.ts";
import { answerAs } from "./answer-as.ts";
import { credentialsOf } from "./credentials.ts";

/** Whether the deployment, or the guardrail, names a service that the checks of this family ask (guardrails.md section 12). */
export const hasService = ({ credentials }: Pick<CheckTools, "credentials">): boolean =>
  credentials.baseURL !== undefined;

/** What that service answers. Rejects with CheckError: one that did not answer well is a failure, whatever the check says. */
export async function askService<Schema extends z.ZodType>(
  tools: CheckTools,
  path: string,
  body: unknown,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { baseURL, apiKey } = credentialsOf(tools, { baseURL: z.url(), apiKey: z.string().optional() });
  const own = apiKey === undefined ? {} : { "x-gateway-api-key": apiKey };
  const url = `${baseURL.replace(/\/$/, "")}${path}`;
  try {
    const { json } = await tools.ask({ url, headers: { ...tools.forwarded, ...own }, body });
    return answerAs(schema, json);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    throw new CheckError(error.message, { label: error.label, data: error.data, verdict: false });
  }
}

/** What classifiers answer: labels with their scores, the likeliest first. */
export const classified = z.array(z.array(z.object({ label: z.string(), score: z.number() })).min(1)).min(1);
