import {
  compact,
  type EncodeContext,
  type Fields,
  type Format,
  isRecord,
  type RerankRequest,
  type RerankResponse,
  readErrorBody,
  refuse,
  reportOnce,
} from "../../core/index.ts";
import { type Report, takenFields, textOf, valueAt } from "./fields.ts";
import { type AnswerShape, decodeAnswer, encodeAnswer, usageIn } from "./response.ts";

/** The clouds' own rerank APIs, whose requests are nested (providers.md section 19). */

interface Codec {
  readonly name: string;
  readonly answer: AnswerShape;
  readonly drops: readonly string[];
  decode(wire: Readonly<Fields>): RerankRequest;
  encode(request: RerankRequest, report: Report): Fields;
}

const bedrock: Codec = {
  name: "bedrock-rerank",
  answer: { list: "results", index: "index", score: "relevanceScore", document: documentOfBedrock },
  drops: [],
  decode(wire) {
    const about = valueAt(wire, ["rerankingConfiguration", "bedrockRerankingConfiguration"]);
    const [query] = listIn(wire.queries, "queries");
    const topN = valueAt(about, ["numberOfResults"]);
    return {
      model: textIn(valueAt(about, ["modelConfiguration", "modelArn"]), "modelConfiguration.modelArn"),
      query: textIn(valueAt(query, ["textQuery", "text"]), "queries[0].textQuery.text"),
      documents: listIn(wire.sources, "sources").map((source, at) =>
        textIn(valueAt(source, ["inlineDocumentSource", "textDocument", "text"]), `sources[${at}]`),
      ),
      ...(typeof topN === "number" && { topN }),
    };
  },
  encode: ({ model, query, documents, topN }, report) => ({
    queries: [{ type: "TEXT", textQuery: { text: query } }],
    sources: documents.map((document, at) => ({
      type: "INLINE",
      inlineDocumentSource: { type: "TEXT", textDocument: { text: textOf(document, at, report) } },
    })),
    rerankingConfiguration: {
      type: "BEDROCK_RERANKING_MODEL",
      bedrockRerankingConfiguration: compact({
        numberOfResults: topN,
        modelConfiguration: { modelArn: model },
      }),
    },
  }),
};

function documentOfBedrock(result: Readonly<Fields>) {
  const text = valueAt(result, ["document", "textDocument", "text"]);
  return typeof text === "string" ? { text } : undefined;
}

const mostRecords = 200;

const vertex: Codec = {
  name: "vertex-rerank",
  answer: { list: "records", index: "id", score: "score", document: documentOfVertex },
  drops: [],
  decode(wire) {
    const { topN, ignoreRecordDetailsInResponse: ignored } = wire;
    return {
      model: textIn(wire.model, "model"),
      query: textIn(wire.query, "query"),
      documents: listIn(wire.records, "records").map((record, at) => ({
        ...compact({ title: valueAt(record, ["title"]) }),
        text: textIn(valueAt(record, ["content"]), `records[${at}].content`),
      })),
      ...(typeof topN === "number" && { topN }),
      ...(typeof ignored === "boolean" && { returnDocuments: !ignored }),
    };
  },
  encode({ model, query, documents, topN, returnDocuments = true }, report) {
    if (documents.length > mostRecords)
      refuse("documents", `a list of at most ${mostRecords} documents for this vendor`, documents.length);
    return {
      model,
      query,
      ...compact({ topN }),
      ignoreRecordDetailsInResponse: !returnDocuments,
      records: documents.map((document, at) => {
        const { title, ...rest } = typeof document === "string" ? { title: undefined, text: document } : document;
        return { id: String(at), ...compact({ title }), content: textOf(rest, at, report) };
      }),
    };
  },
};

function documentOfVertex({ content, title }: Readonly<Fields>) {
  return typeof content === "string" ? { ...compact({ title }), text: content } : undefined;
}

const listIn = (value: unknown, path: string): readonly unknown[] =>
  Array.isArray(value) && value.length > 0 ? value : refuse(path, "a list with at least one item", value);
const textIn = (value: unknown, path: string): string =>
  typeof value === "string" ? value : refuse(path, "a string", value);

const unified = [
  "max_tokens_per_doc",
  "max_chunks_per_doc",
  "priority",
  "rank_fields",
  "truncation",
  "parameters",
  "documents.title",
];

export const nestedFormats: readonly Format<"rerank">[] = [bedrock, vertex].map(formatOf);

function formatOf({ name, answer, drops, decode, encode }: Codec): Format<"rerank"> {
  return {
    name,
    operation: "rerank",
    drops: [...drops, ...unified],
    decodeRequest: (body) => decode(isRecord(body) ? body : refuse("body", "an object", body)),
    encodeRequest(request: RerankRequest, report: Report) {
      const told = reportOnce(report);
      if (request.maxTokensPerDoc !== undefined) told("max_tokens_per_doc");
      return { ...encode(request, told), ...takenFields(name, [], request.extra, told) };
    },
    decodeResponse: (body) => decodeAnswer(name, answer, body),
    encodeResponse: (response: RerankResponse, context: EncodeContext) => encodeAnswer(name, answer, response, context),
    decodeError: readErrorBody,
    readUsage: (wire) => usageIn(answer, wire),
  };
}
