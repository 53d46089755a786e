import { defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { apiVersion, askAzure, longest, tried } from "../../partners/azure.ts";
import { judged } from "../../partners/parts.ts";
import { piecesOf } from "../../partners/pieces.ts";

const answer = z.looseObject({ protectedMaterialAnalysis: z.looseObject({ detected: z.boolean() }) });
const found = (detected: boolean) => ({ protectedMaterialAnalysis: { detected } });

export default defineCheck({
  id: "azure.protectedMaterial",
  summary: "Passes answers in which Azure AI Content Safety finds no known protected text.",
  parameters: z.object({ apiVersion: apiVersion("2024-09-01") }),
  targets: ["response"],
  verdictOnError: true,
  needsText: true,
  async run({ text }, { apiVersion }, tools) {
    const path = "/contentsafety/text:detectProtectedMaterial";
    const { verdict, data } = await judged(
      piecesOf(text, longest),
      async (piece) =>
        answerAs(answer, await askAzure(tools, { product: "contentSafety", path, apiVersion, body: { text: piece } })),
      ({ protectedMaterialAnalysis: { detected } }) => detected,
    );
    return { verdict, data };
  },
  table: {
    passes: [
      {
        text: "mine",
        credentials: tried,
        asks: [
          {
            url: "azure.com/contentsafety/text:detectProtectedMaterial?api-version=2024-09-01",
            headers: { "ocp-apim-subscription-key": "k" },
            body: { text: "mine" },
            answer: found(false),
          },
        ],
        data: found(false),
      },
      { text: "mine", error: "contentSafety" },
      { text: "mine", credentials: tried, asks: [{ status: 500 }], error: "500" },
      { text: "mine", credentials: tried, asks: [{ answer: {} }], error: "protectedMaterialAnalysis" },
    ],
    fails: [
      {
        text: `${"a".repeat(9_000)}\n${"b".repeat(9_000)}`,
        credentials: tried,
        asks: [{ answer: found(false) }, { body: { text: "b".repeat(9_000) }, answer: found(true) }],
        data: found(true),
      },
      { text: "a song", credentials: tried, asks: [{ answer: found(true) }] },
    ],
  },
});
