import { compact, type Format, readErrorBody } from "../../core/index.ts";
import { decodeFlat, encodeFlat, type FlatRequest } from "./request.ts";
import { type AnswerShape, decodeAnswer, encodeAnswer, usageIn } from "./response.ts";

/** What a vendor's rerank API is made of (providers.md section 19). */
interface Vendor extends Omit<FlatRequest, "name"> {
  readonly answer: AnswerShape;
  readonly path: string;
  /** Sent where the client does not say: the vendor would decide otherwise than the unified request does. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

const ranked = { list: "results", index: "index", score: "relevance_score" } as const;

const vendors: Readonly<Record<string, Vendor>> = {
  cohere: {
    path: "/v2/rerank",
    topN: "top_n",
    maxTokensPerDoc: "max_tokens_per_doc",
    takes: ["priority"],
    documents: "texts",
    // Vercel's @ai-sdk/cohere refuses an answer without `meta`.
    answer: { ...ranked, units: ["meta", "billed_units", "search_units"], always: { meta: {} } },
  },
  voyage: {
    path: "/rerank",
    topN: "top_k",
    returnDocuments: "return_documents",
    takes: ["truncation"],
    documents: "texts",
    answer: { ...ranked, list: "data", tokens: ["usage", "total_tokens"] },
  },
  jina: {
    path: "/rerank",
    topN: "top_n",
    returnDocuments: "return_documents",
    takes: [],
    documents: "texts",
    defaults: { return_documents: false },
    answer: { ...ranked, tokens: ["usage", "total_tokens"] },
  },
  pinecone: {
    path: "/rerank",
    topN: "top_n",
    returnDocuments: "return_documents",
    takes: ["rank_fields", "parameters"],
    documents: "objects",
    defaults: { return_documents: false },
    answer: { list: "data", index: "index", score: "score", units: ["usage", "rerank_units"] },
  },
};

/** Names `encodeRequest` may report: fields of the unified request that are there for other vendors. */
const drops = [
  "max_tokens_per_doc",
  "max_chunks_per_doc",
  "priority",
  "rank_fields",
  "truncation",
  "parameters",
  "documents.title",
];

/** The formats of vendors whose requests are flat: `cohere-rerank`, `voyage-rerank`, … */
export const vendorFormats: readonly Format<"rerank">[] = Object.entries(vendors).map(([vendor, about]) =>
  formatOf(`${vendor}-rerank`, about),
);

function formatOf(name: string, { answer, path, defaults, ...about }: Vendor): Format<"rerank"> {
  const flat = { name, ...about };
  return {
    name,
    operation: "rerank",
    drops,
    decodeRequest: (body) => decodeFlat(flat, body),
    encodeRequest: (request, report) => encodeFlat(flat, request, report),
    decodeResponse: (body) => decodeAnswer(name, answer, body),
    encodeResponse: (response, context) => encodeAnswer(name, answer, response, context),
    decodeError: readErrorBody,
    readUsage: (wire) => usageIn(answer, wire),
    upstream: { path, ...compact({ defaults }) },
  };
}
