import { compact, isRecord, leftovers, tokenCount } from "../../../core/index.ts";
import { embeddingFormat } from "./codec.ts";

const name = "bedrock-titan-embeddings";
const requestFields = new Set(["model", "stream", "inputText", "inputImage", "dimensions", "embeddingConfig"]);

/** Titan's image model takes dimensions in another place; its first text models take none. */
const isImageModel = (model: string): boolean => /titan-embed-image/.test(model);

export const titanEmbeddings = embeddingFormat({
  name,
  drops: ["user", "input_type", "dimensions"],
  answerFields: new Set(["embedding", "inputTextTokenCount"]),
  encode({ model, dimensions, inputType, extra }, input, report) {
    if (inputType !== undefined) report("input_type");
    const first = /titan-embed-(?:g1-text-02|text-v1)/.test(model);
    if (first && dimensions !== undefined) report("dimensions");
    const said = typeof input === "string" ? { inputText: input } : input;
    const size = first ? undefined : dimensions;
    const placed = isImageModel(model)
      ? { embeddingConfig: size && { outputEmbeddingLength: size } }
      : { dimensions: size };
    return compact({ ...said, ...placed, ...(extra?.format === name && extra.fields) });
  },
  decode(wire) {
    const { inputText, inputImage, dimensions, embeddingConfig: config } = wire;
    const size = isRecord(config) ? config.outputEmbeddingLength : dimensions;
    const rest = leftovers(wire, requestFields);
    return {
      input: [
        inputImage === undefined && typeof inputText === "string" ? inputText : compact({ inputText, inputImage }),
      ],
      ...(typeof size === "number" && { dimensions: size }),
      ...(rest && { extra: { format: name, fields: rest } }),
    };
  },
  vectorIn: ({ embedding }) => embedding,
  answer: (embedding, usage) => compact({ embedding, inputTextTokenCount: usage?.inputTokens }),
  usageIn({ inputTextTokenCount }) {
    const inputTokens = tokenCount(inputTextTokenCount);
    return inputTokens === undefined ? undefined : { inputTokens };
  },
});
