import {
  compact,
  type EncodeContext,
  extraIn,
  type Fields,
  type Format,
  isRecord,
  type RerankRequest,
  type RerankResponse,
  readErrorBody,
  refuse,
  reportOnce,
  writeJson,
} from "../../core/index.ts";
import { bedrockErrors } from "./bedrock-errors.ts";
import { type Report, takenFields, textOf, valueAt } from "./fields.ts";
import { type AnswerShape, decodeAnswer, encodeAnswer, usageIn } from "./response.ts";

/** The clouds' own rerank APIs, whose requests are nested (providers.md section 19). */

interface Codec {
  readonly name: string;
  readonly answer: AnswerShape;
  readonly drops: readonly string[];
  decode(wire: Readonly<Fields>): RerankRequest;
  /** `own` is what the vendor takes besides, by its own names. */
  encode(request: RerankRequest, own: Readonly<Fields>, report: Report): Fields;
  readonly lift?: NonNullable<Format["lift"]>;
  readonly errors?: Pick<Format, "encodeError" | "errorHeaders">;
}

const bedrockModel = ["rerankingConfiguration", "bedrockRerankingConfiguration", "modelConfiguration"];

/** AWS's own models are asked for by address, in which others would find no name they know. */
const modelOfArn = (arn: unknown): string | undefined =>
  typeof arn === "string" ? arn.replace(/^arn:aws[\w-]*:bedrock:[\w-]*::foundation-model\//, "") : undefined;

const bedrock: Codec = {
  name: "bedrock-rerank",
  answer: { list: "results", index: "index", score: "relevanceScore", document: documentOfBedrock },
  drops: [],
  errors: bedrockErrors,
  lift: (wire) => modelOfArn(valueAt(wire, [...bedrockModel, "modelArn"])),
  decode(wire) {
    const topN = valueAt(wire, [...bedrockModel.slice(0, 2), "numberOfResults"]);
    const [query] = listIn(wire.queries, "queries");
    const { queries: _, sources: __, rerankingConfiguration: ___, model, ...more } = wire;
    return {
      model: textIn(model ?? valueAt(wire, [...bedrockModel, "modelArn"]), "modelConfiguration.modelArn"),
      query: textIn(valueAt(query, ["textQuery", "text"]), "queries[0].textQuery.text"),
      documents: listIn(wire.sources, "sources").map(sourceOfBedrock),
      ...(typeof topN === "number" && { topN }),
      ...extraIn("bedrock-rerank", {
        ...more,
        ...compact({ additionalModelRequestFields: valueAt(wire, [...bedrockModel, "additionalModelRequestFields"]) }),
      }),
    };
  },
  encode({ model, query, documents, topN }, { additionalModelRequestFields, ...own }, report) {
    return {
      queries: [{ type: "TEXT", textQuery: { text: query } }],
      sources: documents.map((document, at) => ({
        type: "INLINE",
        inlineDocumentSource: { type: "TEXT", textDocument: { text: textOf(document, at, report) } },
      })),
      rerankingConfiguration: {
        type: "BEDROCK_RERANKING_MODEL",
        bedrockRerankingConfiguration: compact({
          numberOfResults: topN,
          modelConfiguration: compact({ modelArn: model, additionalModelRequestFields }),
        }),
      },
      ...own,
    };
  },
};

/** Documents of JSON are read by everybody as the text they are. */
function sourceOfBedrock(source: unknown, at: number): string {
  const json = valueAt(source, ["inlineDocumentSource", "jsonDocument"]);
  if (json !== undefined) return writeJson(json);
  return textIn(valueAt(source, ["inlineDocumentSource", "textDocument", "text"]), `sources[${at}]`);
}

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
  encode({ model, query, documents, topN, returnDocuments = true }, own, report) {
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
      ...own,
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

function formatOf({ name, answer, drops, decode, encode, lift, errors }: Codec): Format<"rerank"> {
  return {
    name,
    operation: "rerank",
    drops: [...drops, ...unified],
    ...compact({ lift }),
    decodeRequest: (body) => decode(isRecord(body) ? body : refuse("body", "an object", body)),
    encodeRequest(request: RerankRequest, report: Report) {
      const told = reportOnce(report);
      if (request.maxTokensPerDoc !== undefined) told("max_tokens_per_doc");
      return encode(request, takenFields(name, [], request.extra, told), told);
    },
    decodeResponse: (body) => decodeAnswer(name, answer, body),
    encodeResponse: (response: RerankResponse, context: EncodeContext) => encodeAnswer(name, answer, response, context),
    decodeError: readErrorBody,
    ...errors,
    readUsage: (wire) => usageIn(answer, wire),
  };
}
