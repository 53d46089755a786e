import { z } from "zod";
import { definePlugin, type Format, readErrorBody, typedEvents } from "../../core/index.ts";
import { imageEdits, imageVariations } from "./form.ts";
import { decodeRequest, defaultModel, encodeRequest, formatName, refuseElsewhere } from "./generation.ts";
import { jsonImageEdits } from "./json-edits.ts";
import { decodeResponse, encodeResponse, isPartOnly, readLastEvent, readUsage } from "./response.ts";

export const openAiImages: Format<"image"> = {
  name: formatName,
  operation: "image",
  defaultModel,
  drops: [],
  decodeRequest,
  refuseElsewhere,
  encodeRequest,
  // A word of Together's, for which its other vendors have their own.
  borrowed: ['"base64"'],
  decodeResponse,
  encodeResponse,
  decodeError: readErrorBody,
  answerField: "data",
  readUsage,
  upstream: { path: "/images/generations" },
  ...typedEvents((type) => type === "image_generation.completed", readLastEvent, isPartOnly),
};

export const imageFormats = [openAiImages, imageEdits, imageVariations] as const;
export { jsonImageEdits };

const types = { image: "imageGenerate", imageEdit: "imageEdit", imageVariation: "imageVariation" } as const;
const paths = { image: "generations", imageEdit: "edits", imageVariation: "variations" } as const;

export default definePlugin({
  name: "format-openai-images",
  summary: "Speaks the OpenAI images API (generations, edits, variations), to clients and to vendors.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    for (const { operation, name } of imageFormats)
      endpoint({
        type: types[operation],
        method: "POST",
        path: `/v1/images/${paths[operation]}`,
        operation,
        format: name,
        checked: true,
        ...(operation === "imageEdit" && { jsonFormat: jsonImageEdits.name }),
      });
    for (const one of [...imageFormats, jsonImageEdits]) format(one);
  },
});
