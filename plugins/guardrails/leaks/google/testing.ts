import { gemini } from "../../../format-gemini/format.ts";
import { event, type Json, pieces, type Vendor, whole } from "../testing.ts";

const grounded = (groundingMetadata: Json, text = "Hi.") => ({
  content: { role: "model", parts: [{ text }] },
  groundingMetadata,
});
const parts = (...list: Json[]) => ({ content: { role: "model", parts: list } });

export const google: Vendor<Json> = {
  format: gemini,
  answer: (candidate) => ({
    candidates: [{ index: 0, finishReason: "STOP", ...candidate }],
    responseId: "r",
    modelVersion: "m",
  }),
  stream: (candidate) => {
    const { content, ...others } = candidate;
    const { parts: list } = content as { parts: readonly Json[] };
    const texts = list.flatMap((part) =>
      part.text === whole ? pieces(whole).map((text) => ({ ...part, text })) : [part],
    );
    const frame = (more: Json) => event({ candidates: [{ index: 0, ...more }], responseId: "r", modelVersion: "m" });
    return [
      ...texts.map((part) => frame(parts(part))),
      frame({ ...parts({ text: "" }), finishReason: "STOP", ...others }),
    ];
  },
  places: {
    "the text": parts({ text: whole }),
    "tokens of the text": {
      ...parts({ text: whole }),
      logprobsResult: { chosenCandidates: ["zyx", "wvu"].map((token) => ({ token, logProbability: -1 })) },
    },
    "code that was run": parts({ executableCode: { language: "PYTHON", code: whole } }),
    "what code printed": parts(
      { executableCode: { language: "PYTHON", code: "1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: whole } },
    ),
    "a tool of the vendor": parts({ toolCall: { toolType: "GOOGLE_SEARCH_WEB", id: "t", args: { queries: [whole] } } }),
    "what a tool of the vendor found": parts({
      toolResponse: { toolType: "GOOGLE_SEARCH_WEB", id: "t", response: { search_suggestions: whole } },
    }),
    "the words that are grounded": grounded(
      {
        groundingChunks: [{ web: { uri: "https://a.example", title: "a" } }],
        groundingSupports: [
          { segment: { endIndex: 13, text: whole }, groundingChunkIndices: [0] },
          { segment: { startIndex: 6, endIndex: 9, text: "zyx" }, groundingChunkIndices: [0] },
        ],
      },
      whole,
    ),
    "a page they are grounded on": grounded({ groundingChunks: [{ web: { uri: "https://a.example", title: whole } }] }),
    "a passage they are grounded on": grounded({
      groundingChunks: [{ retrievedContext: { uri: "gs://a", title: whole, text: whole } }],
    }),
    "a place they are grounded on": grounded({
      groundingChunks: [
        {
          maps: {
            uri: "https://a.example",
            title: whole,
            text: whole,
            placeAnswerSources: { reviewSnippets: [{ title: whole, review: whole }] },
          },
        },
      ],
    }),
    "a search": grounded({
      webSearchQueries: [whole],
      retrievalQueries: [whole],
      searchEntryPoint: { renderedContent: `<a>${whole}</a>` },
    }),
    "why it ended": { ...parts({ text: "Hi." }), finishMessage: whole },
    "the arguments of the only call": parts({ functionCall: { name: "f", args: { q: whole } } }),
  },
};
