import { CheckError, type CheckTools, defineCheck, z } from "../../../core/index.ts";
import { answerAs } from "../answer-as.ts";
import { credentialsOf } from "../credentials.ts";
import { forEachText, replacing } from "./parts.ts";
import { withFindings } from "./spans.ts";

const positions = z.array(z.tuple([z.int().min(0), z.int().min(0)]));
const result = z.looseObject({
  error_message: z.string().nullish(),
  evaluation_result: z
    .looseObject({ pass: z.boolean().nullish(), additional_info: z.record(z.string(), z.unknown()).nullish() })
    .nullish(),
});
const answer = z.object({ results: z.array(result).min(1) });

export interface Evaluator {
  readonly evaluator: string;
  readonly criteria?: string | undefined;
}

interface Exchanged {
  readonly input?: string;
  readonly output: string;
}

/** Has Patronus judge an answer (guardrails.md section 13.18). */
export async function evaluated(tools: CheckTools, { evaluator, criteria }: Evaluator, { input, output }: Exchanged) {
  const { apiKey } = credentialsOf(tools, { apiKey: z.string().min(1) });
  const { json } = await tools.ask({
    url: "https://api.patronus.ai/v1/evaluate",
    headers: { ...tools.forwarded, "x-api-key": apiKey },
    body: {
      evaluators: [{ evaluator, explain_strategy: "always", ...(criteria !== undefined && { criteria }) }],
      ...(input !== undefined && { evaluated_model_input: input }),
      evaluated_model_output: output,
    },
    timeout: 15_000,
  });
  const [first] = answerAs(answer, json).results;
  if (first?.error_message) throw new CheckError(first.error_message);
  const { pass, additional_info: info } = first?.evaluation_result ?? {};
  if (typeof pass !== "boolean") throw new CheckError("The service did not say whether it passes.");
  return { pass, info: info ?? null };
}

const credentials = { apiKey: "k" };
const url = "https://api.patronus.ai/v1/evaluate";
const says = (pass: boolean, additional_info: object | null = null) => ({
  results: [{ evaluation_result: { pass, additional_info }, error_message: null }],
});

/** What every check of Patronus makes of an answer that is none. */
const errors = [
  { text: "Hello", error: "apiKey" },
  { text: "Hello", credentials, asks: [{ status: 403 }], error: "403" },
  { text: "Hello", credentials, asks: [{ answer: { results: [] } }], error: "results" },
  { text: "Hello", credentials, asks: [{ answer: { results: [{ error_message: "no credit" }] } }], error: "no credit" },
  { text: "Hello", credentials, asks: [{ answer: { results: [{}] } }], error: "did not say" },
];

/** A check of one of Patronus's evaluators: of answers, which pass as it says. */
export const patronusJudge = ({
  name,
  passes,
  ...by
}: Evaluator & { readonly name: string; readonly passes: string }) =>
  defineCheck({
    id: `patronus.${name}`,
    summary: `Passes answers ${passes}, as Patronus judges it.`,
    parameters: z.object({}),
    targets: ["response"],
    verdictElsewhere: true,
    needsText: true,
    async run({ text, subject }, _, tools) {
      const { pass, info } = await evaluated(tools, by, { input: subject?.request.text ?? "", output: text });
      return { verdict: pass, data: info };
    },
    table: {
      passes: [
        {
          text: "Hello",
          credentials,
          asks: [
            {
              url,
              headers: { "x-api-key": "k" },
              body: {
                evaluators: [{ explain_strategy: "always", ...by }],
                evaluated_model_output: "Hello",
              },
              answer: says(true, { confidence_interval: null }),
            },
          ],
          data: { confidence_interval: null },
        },
      ],
      fails: [{ text: "Hello", credentials, asks: [{ answer: says(false) }] }, ...errors],
    },
  });

/** A check of one that finds personal data, and can take it out. */
export const patronusDetector = ({ evaluator, finds }: { readonly evaluator: string; readonly finds: string }) =>
  defineCheck({
    id: `patronus.${evaluator}`,
    summary: `Passes text in which Patronus finds no ${finds}, or covers it.`,
    parameters: z.object({
      redact: z.boolean().default(false).describe("Whether what is found is covered with asterisks and passes."),
    }),
    needsText: true,
    async run({ texts }, { redact }, tools) {
      const found = await forEachText(
        texts,
        (output) => evaluated(tools, { evaluator }, { output }),
        ({ pass }) => !pass && !redact,
      );
      const verdict = !found.some((one) => one?.pass === false);
      const data = found.find((one) => one?.pass === false)?.info ?? null;
      if (verdict || !redact) return { verdict, data };
      const covered = found.map((one, at) => (one?.pass === false ? coveredText(texts[at] ?? "", one.info) : null));
      return { verdict: true, data, ...replacing(covered) };
    },
    table: {
      passes: [
        {
          text: "Hello",
          credentials,
          asks: [
            {
              url,
              headers: { "x-api-key": "k" },
              body: { evaluators: [{ evaluator, explain_strategy: "always" }], evaluated_model_output: "Hello" },
              answer: says(true),
            },
          ],
        },
        {
          parameters: { redact: true },
          texts: ["Hello", "", "I am Mr Smithers, 55"],
          credentials,
          asks: [
            { answer: says(true) },
            {
              answer: says(false, {
                positions: [
                  [5, 16],
                  [8, 12],
                ],
              }),
            },
          ],
          becomes: [null, null, "I am M*********s, 55"],
        },
        {
          parameters: { redact: true },
          text: "Al, 5555",
          credentials,
          asks: [{ answer: says(false, { positions: [[0, 2]] }) }],
          becomes: "**, 5555",
        },
        {
          parameters: { redact: true },
          text: "😀 Al",
          credentials,
          asks: [{ answer: says(false, { positions: [[2, 4]] }) }],
          becomes: "😀**",
        },
      ],
      fails: [
        {
          text: "I am Al",
          target: "response",
          credentials,
          asks: [{ answer: says(false, { positions: [[5, 7]] }) }],
          data: { positions: [[5, 7]] },
        },
        { parameters: { redact: true }, text: "I am Al", credentials, asks: [{ answer: says(false) }], error: "where" },
        {
          parameters: { redact: true },
          text: "I am Al",
          credentials,
          asks: [{ answer: says(false, { positions: [[50, 52]] }) }],
          error: "not in the text",
        },
        ...errors,
      ],
    },
  });

function coveredText(text: string, info: Readonly<Record<string, unknown>> | null): string {
  const read = positions.min(1).safeParse(info?.positions);
  if (!read.success) throw new CheckError("The service does not say where what it found is.");
  const findings = longest(read.data).map(([start, end]) => ({ start, end, token: masked }));
  const covered = withFindings(text, findings);
  if (covered === undefined) throw new CheckError("What the service found is not in the text.");
  return covered;
}

/** Its positions overlap: only the longest ones around a place are whole. */
function longest(found: z.output<typeof positions>): z.output<typeof positions> {
  let [from, to] = [-1, -1];
  return found
    .toSorted(([start, end], [otherStart, otherEnd]) => start - otherStart || otherEnd - end)
    .filter(([start, end]) => {
      const isPart = end <= to && to - from > end - start;
      if (end > to) [from, to] = [start, end];
      return !isPart;
    });
}

const masked = (section: string): string =>
  section.length <= 4
    ? "*".repeat(section.length)
    : `${section[0]}${"*".repeat(section.length - 2)}${section[section.length - 1]}`;
