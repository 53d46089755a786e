import {
  type Format,
  type FormFields,
  type ImageFormRequest,
  parseRequest,
  readErrorBody,
  refuse,
  typedEvents,
  writeForm,
} from "../../core/index.ts";
import { defaultModel } from "./generation.ts";
import { onlyFiles } from "./json-edits.ts";
import { decodeResponse, encodeResponse, isPartOnly, readLastEvent, readUsage } from "./response.ts";
import { edit, variation } from "./wire.ts";

const schemas = { imageEdit: edit, imageVariation: variation };

/** Forms with images: checked, and passed on as they came to vendors that take the same form. */
function formFormat<Operation extends keyof typeof schemas>(
  name: string,
  operation: Operation,
  path: string,
): Format<Operation> {
  return {
    name,
    operation,
    requests: "form",
    defaultModel,
    drops: [],
    decodeRequest: (wire) => decodeForm(operation, wire),
    encodeRequest: ({ model, fields }) => ({ ...onlyFiles(fields), model }),
    writeBody: writeForm,
    decodeResponse,
    encodeResponse,
    decodeError: readErrorBody,
    answerField: "data",
    readUsage,
    upstream: { path },
    ...typedEvents((type) => type === "image_edit.completed", readLastEvent, isPartOnly),
  };
}

function decodeForm(operation: keyof typeof schemas, wire: unknown): ImageFormRequest {
  const { model, ...rest } = parseRequest(schemas[operation], wire);
  if (operation === "imageEdit" && !rest.image && !rest["image[]"]) refuse("image", "one or more files", undefined);
  return {
    model: model || defaultModel,
    fields: wire as FormFields,
    ...(rest.stream === "true" && { stream: true }),
  };
}

export const imageEdits = formFormat("openai-image-edits", "imageEdit", "/images/edits");
export const imageVariations = formFormat("openai-image-variations", "imageVariation", "/images/variations");
