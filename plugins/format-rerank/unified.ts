import {
  type EncodeContext,
  type Fields,
  type Format,
  isRecord,
  type RerankResponse,
  readErrorBody,
} from "../../core/index.ts";
import { shownDocument, unifiedName } from "./fields.ts";
import { decodeFlat, encodeFlat, type FlatRequest } from "./request.ts";
import { type AnswerShape, decodeAnswer, usageIn } from "./response.ts";

const flat: FlatRequest = {
  name: unifiedName,
  topN: "top_n",
  returnDocuments: "return_documents",
  maxTokensPerDoc: "max_tokens_per_doc",
  takes: [],
  documents: "either",
};

const shape: AnswerShape = {
  list: "results",
  index: "index",
  score: "relevance_score",
  units: ["usage", "search_units"],
  tokens: ["usage", "total_tokens"],
};

/** The vendor's body, with the unified fields in it: readers of either find what they look for. */
function encodeResponse(response: RerankResponse, context: EncodeContext): Fields {
  const { body = {}, usage, id } = response;
  const searchUnits = usage?.searchUnits;
  const counted = isRecord(body.usage) || searchUnits !== undefined;
  return Object.assign({}, body, {
    object: "list",
    ...(id !== undefined && { id }),
    model: response.model ?? context.model,
    provider: context.provider,
    results: response.results.map((result) => {
      const document = shownDocument(result.document) ?? askedDocument(context, result.index);
      return { index: result.index, relevance_score: result.score, ...(document && { document }) };
    }),
    ...(counted && {
      usage: {
        ...(isRecord(body.usage) && body.usage),
        ...(searchUnits !== undefined && { search_units: searchUnits }),
      },
    }),
  });
}

/** Some vendors never repeat a document: a client that wants them gets its own back. */
function askedDocument({ asked }: EncodeContext, index: number): Readonly<Fields> | undefined {
  if (asked?.return_documents !== true || !Array.isArray(asked.documents)) return undefined;
  return shownDocument(asked.documents[index]);
}

/** What clients speak at `/v1/rerank`, and what vendors nobody knows anything about are asked in. */
export const unified: Format<"rerank"> = {
  name: unifiedName,
  operation: "rerank",
  drops: ["priority", "truncation"],
  decodeRequest: (body) => decodeFlat(flat, body),
  encodeRequest: (request, report) => encodeFlat(flat, request, report),
  decodeResponse: (body) => decodeAnswer(unifiedName, shape, body),
  encodeResponse,
  decodeError: readErrorBody,
  readUsage: (wire) => usageIn(shape, wire),
  upstream: { path: "/rerank" },
  everywhere: true,
};
