import { compact, isRecord, leftovers, lookUp } from "../../../core/index.ts";
import { hostCount, metrics } from "../invoke/usage.ts";
import { embeddingFormat } from "./codec.ts";

const name = "bedrock-nova-embeddings";
const requestFields = new Set(["model", "stream", "taskType", "singleEmbeddingParams"]);
const parameterFields = new Set(["embeddingPurpose", "embeddingDimension", "text"]);

/** Purposes other APIs have other words for. */
const purposes: Readonly<Record<string, string>> = {
  search_query: "GENERIC_RETRIEVAL",
  query: "GENERIC_RETRIEVAL",
  search_document: "GENERIC_INDEX",
  document: "GENERIC_INDEX",
  passage: "GENERIC_INDEX",
  classification: "CLASSIFICATION",
  clustering: "CLUSTERING",
};
const usualPurpose = "GENERIC_INDEX";

export const novaEmbeddings = embeddingFormat({
  name,
  drops: ["user"],
  answerFields: new Set(["embeddings", metrics]),
  encode({ dimensions, inputType, extra }, input) {
    const own = extra?.format === name ? extra.fields : {};
    const { singleEmbeddingParams: more, ...rest } = own;
    const said = typeof input === "string" ? { text: { truncationMode: "END", value: input } } : input;
    const purpose = inputType === undefined ? usualPurpose : (lookUp(purposes, inputType.toLowerCase()) ?? inputType);
    return {
      taskType: "SINGLE_EMBEDDING",
      singleEmbeddingParams: {
        embeddingPurpose: purpose,
        ...compact({ embeddingDimension: dimensions }),
        ...said,
        ...(isRecord(more) ? more : {}),
      },
      ...rest,
    };
  },
  decode(wire) {
    const asked = isRecord(wire.singleEmbeddingParams) ? wire.singleEmbeddingParams : {};
    const { embeddingPurpose: purpose, embeddingDimension: size, text } = asked;
    const inner = leftovers(asked, parameterFields);
    const plain = isRecord(text) && text.truncationMode === "END" && typeof text.value === "string" && !inner;
    const fields = compact({ ...leftovers(wire, requestFields) });
    return {
      input: [plain ? String(text.value) : compact({ text, ...inner })],
      ...(typeof size === "number" && { dimensions: size }),
      ...(typeof purpose === "string" && { inputType: purpose }),
      ...(Object.keys(fields).length > 0 && { extra: { format: name, fields } }),
    };
  },
  vectorIn({ embeddings }) {
    const [first]: unknown[] = Array.isArray(embeddings) ? embeddings : [];
    return isRecord(first) ? first.embedding : undefined;
  },
  answer: (embedding) => ({ embeddings: [{ embeddingType: "TEXT", embedding }] }),
  usageIn({ [metrics]: counts }) {
    const { inputTokens } = isRecord(counts) ? hostCount(counts) : {};
    return inputTokens === undefined ? undefined : { inputTokens };
  },
});
