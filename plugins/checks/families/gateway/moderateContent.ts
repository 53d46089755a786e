import { CheckError, type CheckTools, defineCheck, excerptOf, GatewayError, z } from "../../../../core/index.ts";
import { credentialsOf } from "../../credentials.ts";
import { askService, hasService } from "../../hosted.ts";

const categories = [
  ...["hate", "hate/threatening", "harassment", "harassment/threatening", "self-harm", "self-harm/intent"],
  ...["self-harm/instructions", "sexual", "sexual/minors", "violence", "violence/graphic"],
] as const;

const answer = z.object({ results: z.array(z.object({ categories: z.record(z.string(), z.boolean()) })).min(1) });

export default defineCheck({
  id: "gateway.moderateContent",
  summary: "Passes text that a moderation model flags in none of the categories.",
  parameters: z.object({
    categories: z.array(z.enum(categories)).min(1).describe("Which ones."),
    not: z.boolean().default(false).describe("Whether it has to be flagged instead."),
  }),
  targets: ["request"],
  verdictOnError: true,
  needsText: true,
  async run({ text, subject }, { categories: restrictedCategories, not }, tools) {
    const moderationResults = hasService(tools)
      ? ((await askService(tools, "/moderations", { input: text }, answer)).results[0]?.categories ?? {})
      : await byProvider(text, tools, subject?.exchange);
    const allFlaggedCategories = Object.keys(moderationResults).filter((name) => moderationResults[name] === true);
    const flaggedCategories = restrictedCategories.filter((name) => allFlaggedCategories.includes(name));
    const verdict = (flaggedCategories.length === 0) !== not;
    const explanation =
      flaggedCategories.length === 0 ? "Nothing was flagged." : `Flagged: ${flaggedCategories.join(", ")}.`;
    const data = { verdict, not, explanation, flaggedCategories, restrictedCategories, allFlaggedCategories };
    return { verdict, data: { ...data, moderationResults, textExcerpt: excerptOf(text) } };
  },
  table: {
    passes: [
      {
        parameters: { categories: ["hate"] },
        text: "hello",
        ...asked({ violence: true, hate: false }),
        data: { flaggedCategories: [], allFlaggedCategories: ["violence"], restrictedCategories: ["hate"], not: false },
      },
      { parameters: { categories: ["hate"], not: true }, text: "hello", ...asked({ hate: true }) },
      { parameters: { categories: ["hate"] }, text: "hello", error: "moderationProvider" },
      { parameters: { categories: ["hate"] }, text: "", error: "empty" },
    ],
    fails: [
      {
        parameters: { categories: ["hate", "violence"] },
        text: "hello",
        ...asked({ violence: true }),
        data: { flaggedCategories: ["violence"], verdict: false, moderationResults: { violence: true } },
      },
      { parameters: { categories: ["hate"] }, text: "x", ...asked({}), asks: [{ status: 503 }], error: "503" },
    ],
  },
});

type OnBehalf = NonNullable<Parameters<CheckTools["call"]>[0]["exchange"]>;

/** Asks a provider of the deployment, which the credentials name. */
async function byProvider(
  text: string,
  tools: CheckTools,
  exchange: OnBehalf | undefined,
): Promise<Record<string, unknown>> {
  const { moderationProvider: provider, moderationModel: model } = credentialsOf(tools, {
    moderationProvider: z.string(),
    moderationModel: z.string().default("omni-moderation-latest"),
  });
  try {
    const body = { model, input: text };
    const { response } = await tools.call({ provider, operation: "moderate", body, ...(exchange && { exchange }) });
    return { ...response.results[0]?.categories };
  } catch (error) {
    if (error instanceof GatewayError) throw new CheckError(error.message, { label: "NetworkError", verdict: false });
    throw error;
  }
}

function asked(flags: Record<string, boolean>) {
  return {
    credentials: { baseURL: "https://guard.example/v1/", apiKey: "k" },
    asks: [{ url: "https://guard.example/v1/moderations", answer: { results: [{ categories: flags }] } }],
  };
}
