import {
  compact,
  type Fields,
  isRecord,
  itemInOne,
  leftovers,
  mediaOf,
  refuse,
  tokenCount,
} from "../../../core/index.ts";
import { embeddingFormat } from "./codec.ts";

const name = "bedrock-titan-embeddings";
const requestFields = new Set(["model", "stream", "inputText", "inputImage", "dimensions", "embeddingConfig"]);

/** Fields of this model which clients of the unified API may send as they are. */
const shared = ["normalize", "embeddingTypes"] as const;

/** Titan's image model takes dimensions in another place; its first text models take none. */
const isImageModel = (model: string): boolean => /titan-embed-image/.test(model);
const isFirst = (model: string): boolean => /titan-embed-(?:g1-text-02|text-v1)/.test(model);

/** An item of the unified API in the words of this one; one that is in them already stays as it is. */
function itemOf(said: Readonly<Fields>): Fields {
  const item = itemInOne(said, "texts and one image, for this vendor");
  const { text, image, ...rest } = item;
  if (rest.video !== undefined || rest.audio !== undefined)
    refuse("input", "a text, or an item with text or image, for this vendor", said);
  if (text === undefined && image === undefined) return { ...item };
  return compact({ ...rest, inputText: text, inputImage: image === undefined ? undefined : bytesOf(image) });
}

/** The vendor fetches nothing. */
function bytesOf(image: unknown): string {
  const { data } = isRecord(image) ? mediaOf(image) : {};
  return data ?? refuse("input.image", "an object with base64, or with a data URL", image);
}

export const titanEmbeddings = embeddingFormat({
  name,
  drops: ["user", "input_type", "dimensions"],
  answerFields: new Set(["embedding", "inputTextTokenCount"]),
  takes: shared,
  encode({ model, dimensions, encoding, inputType, extra }, input, report) {
    if (inputType !== undefined) report("input_type");
    const first = isFirst(model);
    if (first && dimensions !== undefined) report("dimensions");
    const said = typeof input === "string" ? { inputText: input } : itemOf(input);
    const size = first ? undefined : dimensions;
    const placed = isImageModel(model)
      ? { embeddingConfig: size && { outputEmbeddingLength: size } }
      : { dimensions: size };
    // Base64 is not among its kinds: it is made of the numbers, for clients that want it.
    const types = encoding === "float" && !first && !isImageModel(model) ? ["float"] : undefined;
    const asked = Object.entries(extra?.fields ?? {}).filter(
      ([field]) => extra?.format === name || shared.some((one) => one === field),
    );
    return compact({ ...said, ...placed, embeddingTypes: types, ...Object.fromEntries(asked) });
  },
  decode(wire) {
    const { inputText, inputImage, dimensions, embeddingConfig: config } = wire;
    const size = isRecord(config) ? config.outputEmbeddingLength : dimensions;
    const rest = leftovers(wire, requestFields);
    const plain = inputImage === undefined && typeof inputText === "string";
    return {
      input: [plain ? inputText : compact({ text: inputText, image: inputImage && { base64: inputImage } })],
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
