import { defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { apiVersion, askAzure, tried } from "../../partners/azure.ts";

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
    const json = await askAzure(tools, {
      product: "contentSafety",
      path: "/contentsafety/text:analyze",
      apiVersion,
      body: { text, categories, blocklistNames },
    });
    const data = answerAs(answer, json);
    const harmful = data.categoriesAnalysis.some((one) => (one.severity ?? 0) >= severity);
    return { verdict: !harmful && (data.blocklistsMatch ?? []).length === 0, data };
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
