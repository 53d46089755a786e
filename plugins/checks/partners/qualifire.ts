import { type CheckInput, type CheckTarget, type CheckTools, defineCheck, z } from "../../../core/index.ts";
import { answerAs } from "../answer-as.ts";
import { credentialsOf } from "../credentials.ts";

const answer = z.object({ status: z.string(), evaluationResults: z.unknown().optional() });

export const mode = z
  .enum(["speed", "balanced", "quality"])
  .default("balanced")
  .describe("What matters more: how soon it answers, or how well it looks.");

/** Has Qualifire evaluate something (guardrails.md section 13.22). */
export async function qualified(tools: CheckTools, body: object) {
  const { apiKey } = credentialsOf(tools, { apiKey: z.string().min(1) });
  const { json } = await tools.ask({
    url: "https://proxy.qualifire.ai/api/evaluation/evaluate",
    headers: { ...tools.forwarded, "x-qualifire-api-key": apiKey },
    body,
    timeout: 60_000,
  });
  const { status, evaluationResults } = answerAs(answer, json);
  return { verdict: status !== "failed", data: evaluationResults ?? null };
}

/** What was asked and, on the other side, what was answered. */
export const bothSides = ({
  target,
  text,
  subject,
}: CheckInput): { readonly input: string; readonly output?: string } =>
  target === "request" ? { input: text } : { input: subject?.request.text ?? "", output: text };

export const url = "https://proxy.qualifire.ai/api/evaluation/evaluate";
export const credentials = { apiKey: "k" };
export const passed = { status: "passed", evaluationResults: [{ type: "x", results: [] }] };
export const failed = { status: "failed", evaluationResults: [{ type: "x", results: [{ flagged: true }] }] };

interface Flags {
  readonly name: string;
  /** When it passes, as it goes on after "Passes". */
  readonly passes: string;
  readonly targets?: readonly CheckTarget[];
  /** The switch that turns the evaluation on. */
  readonly flag: string;
  /** Where the mode goes, for those that have one. */
  readonly modeField?: string;
}

/** One of Qualifire's evaluations that is turned on by a switch. */
export const qualifire = ({ name, passes, targets, flag, modeField }: Flags) =>
  defineCheck({
    id: `qualifire.${name}`,
    summary: `Passes ${passes}, as Qualifire judges it.`,
    parameters: z.object({ mode }),
    ...(targets && { targets }),
    needsText: true,
    run: (input, { mode }, tools) =>
      qualified(tools, { ...bothSides(input), [flag]: true, ...(modeField !== undefined && { [modeField]: mode }) }),
    table: {
      passes: [
        {
          text: "hello",
          credentials,
          asks: [
            {
              url,
              headers: { "x-qualifire-api-key": "k" },
              body: {
                ...(targets?.[0] === "response" ? { output: "hello" } : { input: "hello" }),
                [flag]: true,
                ...(modeField !== undefined && { [modeField]: "balanced" }),
              },
              answer: passed,
            },
          ],
          data: passed.evaluationResults,
        },
      ],
      fails: [
        { text: "bad", credentials, asks: [{ answer: failed }], data: failed.evaluationResults },
        { text: "hello", error: "apiKey" },
        { text: "hello", credentials, asks: [{ status: 500 }], error: "500" },
        { text: "hello", credentials, asks: [{ answer: {} }], error: "status" },
      ],
    },
  });
