import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { apiVersion, askAzure, tried } from "../../partners/azure.ts";
import { forEach, replacing, spoken } from "../../partners/parts.ts";
import { piecesOf } from "../../partners/pieces.ts";

const document = z.looseObject({ id: z.string(), redactedText: z.string(), entities: z.array(z.unknown()) });
const answer = z.object({
  results: z.object({ documents: z.array(document), errors: z.array(z.unknown()).nullish() }),
});

/** The most texts the service looks at in one call, and the most characters each of them has. */
const atOnce = 5;
const longest = 5_120;

const inGroups = <One>(all: readonly One[]): One[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) => all.slice(at * atOnce, (at + 1) * atOnce));

const isFound = ({ entities }: z.output<typeof document>): boolean => entities.length > 0;

const clean = (id: string) => ({ id, redactedText: "x", entities: [] });

export default defineCheck({
  id: "azure.pii",
  summary: "Passes text in which Azure AI Language finds no personal data, or replaces it.",
  parameters: z.object({
    domain: z.enum(["none", "phi"]).default("none").describe("phi looks for health data, too."),
    modelVersion: z.string().min(1).default("latest").describe("The version of the service's model."),
    piiCategories: z.array(z.string()).optional().describe("What is looked for, in Azure's words; all unless said."),
    language: z.string().min(1).default("en").describe("The language of the text."),
    redact: z.boolean().default(false).describe("Whether what is found is replaced and passes."),
    apiVersion: apiVersion("2024-11-01"),
  }),
  verdictOnError: true,
  needsText: true,
  async run({ texts }, { domain, modelVersion, piiCategories, language, redact, apiVersion }, tools) {
    const { sent, back } = spoken(texts);
    const pieces = sent.map((text) => piecesOf(text, longest));
    const all = pieces.flat().map((text, at) => ({ id: String(at), text, language }));
    const body = {
      kind: "PiiEntityRecognition",
      parameters: { domain, modelVersion, ...(piiCategories && { piiCategories }) },
    };
    const answers = await forEach(
      inGroups(all),
      async (documents) => {
        const call = { product: "pii", path: "/language/:analyze-text", apiVersion } as const;
        return answerAs(answer, await askAzure(tools, { ...call, body: { ...body, analysisInput: { documents } } }));
      },
      ({ results }) => !redact && results.documents.some(isFound),
    );
    const documents = answers.flatMap((one) => one?.results.documents ?? []);
    if (!redact && documents.some(isFound)) return { verdict: false, data: documents };
    const byId = new Map(documents.map((document) => [document.id, document.redactedText]));
    const redacted = all.map(({ id }) => byId.get(id));
    if (redacted.includes(undefined))
      throw new CheckError("The service did not look at every text.", { data: documents });
    if (!documents.some(isFound)) return { verdict: true, data: documents };
    const made = pieces.map(({ length }) => redacted.splice(0, length).join(""));
    return { verdict: true, data: documents, ...replacing(back(made)) };
  },
  table: {
    passes: [
      {
        texts: ["hello", "", "bye"],
        credentials: tried,
        asks: [
          {
            url: "https://acme-language.cognitiveservices.azure.com/language/:analyze-text?api-version=2024-11-01",
            headers: { "ocp-apim-subscription-key": "l" },
            body: {
              kind: "PiiEntityRecognition",
              parameters: { domain: "none", modelVersion: "latest" },
              analysisInput: {
                documents: [
                  { id: "0", text: "hello", language: "en" },
                  { id: "1", text: "bye", language: "en" },
                ],
              },
            },
            answer: {
              results: {
                documents: [
                  { id: "1", redactedText: "bye", entities: [] },
                  { id: "0", redactedText: "hello", entities: [] },
                ],
              },
            },
          },
        ],
      },
      {
        parameters: { redact: true, piiCategories: ["PhoneNumber"], domain: "phi" },
        texts: ["", "call 555"],
        credentials: tried,
        asks: [
          {
            body: { parameters: { domain: "phi", piiCategories: ["PhoneNumber"] } },
            answer: { results: { documents: [{ id: "0", redactedText: "call ***", entities: [{ text: "555" }] }] } },
          },
        ],
        becomes: [null, "call ***"],
        data: [{ id: "0", redactedText: "call ***", entities: [{ text: "555" }] }],
      },
      {
        texts: ["a", "b", "c", "d", "e", "f"],
        credentials: tried,
        asks: [
          { answer: { results: { documents: ["0", "1", "2", "3", "4"].map(clean) } } },
          {
            body: { analysisInput: { documents: [{ id: "5", text: "f" }] } },
            answer: { results: { documents: [clean("5")] } },
          },
        ],
      },
      {
        parameters: { redact: true },
        texts: [`${"a".repeat(5_000)}\n${"b".repeat(5_000)}`, "call 555"],
        credentials: tried,
        asks: [
          {
            body: {
              analysisInput: { documents: [{ id: "0", text: `${"a".repeat(5_000)}\n` }, { id: "1" }, { id: "2" }] },
            },
            answer: {
              results: {
                documents: [
                  { id: "1", redactedText: "***", entities: [{ text: "b" }] },
                  { id: "0", redactedText: `${"a".repeat(5_000)}\n`, entities: [] },
                  { id: "2", redactedText: "call ***", entities: [{ text: "555" }] },
                ],
              },
            },
          },
        ],
        becomes: [`${"a".repeat(5_000)}\n***`, "call ***"],
      },
      {
        text: "hello",
        credentials: tried,
        asks: [{ answer: { results: { documents: [], errors: [{ id: "0" }] } } }],
        error: "every text",
      },
      { text: "hello", credentials: { contentSafety: tried.contentSafety }, error: "pii" },
      { text: "hello", credentials: tried, asks: [{ status: 400 }], error: "400" },
    ],
    fails: [
      {
        texts: ["call 555", "bye"],
        credentials: tried,
        asks: [
          {
            answer: {
              results: {
                documents: [{ id: "0", redactedText: "call ***", entities: [{ text: "555" }] }],
                errors: [{ id: "1" }],
              },
            },
          },
        ],
      },
      {
        text: "call 555",
        credentials: tried,
        asks: [
          { answer: { results: { documents: [{ id: "0", redactedText: "call ***", entities: [{ text: "555" }] }] } } },
        ],
      },
    ],
  },
});
