import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { apiVersion, askAzure, longest, tried } from "../../partners/azure.ts";
import { judged } from "../../partners/parts.ts";
import { piecesOf } from "../../partners/pieces.ts";

const categories = ["Hate", "SelfHarm", "Sexual", "Violence"] as const;
const answer = z.looseObject({
  categoriesAnalysis: z.array(z.looseObject({ category: z.string(), severity: z.number().nullish() })),
  blocklistsMatch: z.array(z.unknown()).nullish(),
});

export default defineCheck({
  id: "azure.contentSafety",
  summary: "Passes text in which Azure AI Content Safety finds no harm of the severity, nor a word of the blocklists.",
  parameters: z.object({
    categories: z
      .array(z.enum(categories))
      .default([...categories])
      .describe("What kinds of harm are looked for."),
    severity: z.number().default(2).describe("The severity that fails, and all above it."),
    blocklistNames: z.array(z.string()).default([]).describe("Blocklists of the resource."),
    apiVersion: apiVersion("2024-11-01"),
  }),
  verdictOnError: true,
  needsText: true,
  async run({ text }, { categories, severity, blocklistNames, apiVersion }, tools) {
    const call = { product: "contentSafety", path: "/contentsafety/text:analyze", apiVersion } as const;
    const { verdict, data, all } = await judged(
      piecesOf(text, longest),
      async (piece) =>
        answerAs(answer, await askAzure(tools, { ...call, body: { text: piece, categories, blocklistNames } })),
      ({ categoriesAnalysis, blocklistsMatch }) =>
        (blocklistsMatch ?? []).length > 0 || categoriesAnalysis.some((one) => (one.severity ?? -1) >= severity),
    );
    if (verdict && all.some((one) => one.categoriesAnalysis.some(({ severity }) => typeof severity !== "number")))
      throw new CheckError("The service did not say how severe it is.");
    return { verdict, data };
  },
  table: {
    passes: [
      {
        text: "hello",
        credentials: tried,
        asks: [
          {
            url: "https://acme.cognitiveservices.azure.com/contentsafety/text:analyze?api-version=2024-11-01",
            headers: { "ocp-apim-subscription-key": "k" },
            body: { text: "hello", categories: ["Hate", "SelfHarm", "Sexual", "Violence"], blocklistNames: [] },
            answer: { categoriesAnalysis: [{ category: "Hate", severity: 0 }], blocklistsMatch: [] },
          },
        ],
        data: { categoriesAnalysis: [{ category: "Hate", severity: 0 }], blocklistsMatch: [] },
      },
      {
        parameters: { severity: 4, categories: ["Hate"], apiVersion: "2024-09-01" },
        text: "hmpf",
        credentials: { contentSafety: { customHost: "https://safety.internal.example/", apiKey: "k" } },
        asks: [
          {
            url: "https://safety.internal.example/contentsafety/text:analyze?api-version=2024-09-01",
            body: { categories: ["Hate"] },
            answer: { categoriesAnalysis: [{ category: "Hate", severity: 2 }] },
          },
        ],
      },
      {
        text: `${"a".repeat(9_000)}\n${"b".repeat(9_000)}`,
        credentials: tried,
        asks: [
          { body: { text: `${"a".repeat(9_000)}\n` }, answer: { categoriesAnalysis: [] } },
          { body: { text: "b".repeat(9_000) }, answer: { categoriesAnalysis: [] } },
        ],
      },
      {
        text: "hello",
        credentials: tried,
        asks: [{ answer: { categoriesAnalysis: [{ category: "Hate" }] } }],
        error: "how severe",
      },
      { text: "hello", error: "contentSafety" },
      { text: "hello", credentials: { contentSafety: { resourceName: "acme" } }, error: "contentSafety.apiKey" },
      {
        text: "hello",
        credentials: { contentSafety: { resourceName: "acme", azureAuthMode: "entra", tenantId: "t", clientId: "c" } },
        error: "contentSafety.clientSecret",
      },
      { text: "hello", credentials: tried, asks: [{ status: 429 }], error: "429" },
      { text: "hello", credentials: tried, asks: [{ answer: "<html>" }], error: "something else" },
    ],
    fails: [
      {
        text: `${"a".repeat(9_000)}\n${"b".repeat(9_000)}`,
        credentials: tried,
        asks: [{ status: 429 }, { answer: { categoriesAnalysis: [{ category: "Hate", severity: 2 }] } }],
        data: { categoriesAnalysis: [{ category: "Hate", severity: 2 }] },
      },
      {
        text: "bad",
        credentials: tried,
        asks: [{ answer: { categoriesAnalysis: [{ category: "Hate", severity: 2 }] } }],
      },
      {
        parameters: { blocklistNames: ["own"] },
        text: "bad",
        credentials: tried,
        asks: [
          {
            body: { blocklistNames: ["own"] },
            answer: { categoriesAnalysis: [], blocklistsMatch: [{ blocklistName: "own" }] },
          },
        ],
      },
    ],
  },
});
