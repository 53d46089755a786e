import { isRecord, type OperationInput, raise } from "../../core/provider-kit/index.ts";
import { beside, type Place } from "./place.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = (dropped: string) => void;

/** Microsoft's own image models, which are asked at an address of theirs. */
export const isMai = (model: string): boolean => /mai-image/i.test(model);

/** Both measures are always said: what an image is made as that names none is written nowhere. */
export const maiImages = (place: Place): OperationInput => ({
  format: "mai-images",
  path: beside(place, "/mai/v1/images/generations"),
  serves: isMai,
  defaults: { width: 1024, height: 1024 },
});

/** OpenAI's form with fewer fields in it, and its answer with other names for tokens. */
export const maiEdits = (place: Place): OperationInput => ({
  format: "openai-image-edits",
  path: beside(place, "/mai/v1/images/edits"),
  serves: isMai,
  rewrite: { when: ["image"], apply: edit },
  normalise: withTokens,
});

const known = ["model", "prompt", "auto_aspect_ratio", "web_grounding"];

/** One image is changed, and answered whole and as bytes. */
function edit(wire: Wire, report?: Report): Record<string, unknown> {
  const { image, "image[]": images, stream, response_format: answer, ...rest } = wire;
  if (stream === "true") raise("invalid_request", "This vendor has no streams of images.", { param: "stream" });
  const shown = [image, images].flat().filter((one) => one !== undefined);
  if (shown.length > 1) raise("invalid_request", "This vendor changes one image at a time.", { param: "image" });
  if (answer !== undefined && answer !== "b64_json") report?.("response_format");
  const said: Record<string, unknown> = { image: shown[0] };
  for (const [name, value] of Object.entries(rest))
    if (known.includes(name)) said[name] = value;
    else if (name !== "n" || value !== "1") report?.(name);
  return said;
}

/** What it counts, under the names OpenAI has for it. Everything it writes is an image. */
function withTokens(wire: Wire): Record<string, unknown> {
  const counts = isRecord(wire.usage) ? wire.usage : {};
  const { num_input_text_tokens: text = 0, num_input_image_tokens: image = 0, num_output_tokens: written } = counts;
  if (typeof text !== "number" || typeof image !== "number" || typeof written !== "number") return { ...wire };
  return {
    ...wire,
    usage: {
      input_tokens: text + image,
      input_tokens_details: { text_tokens: text, image_tokens: image },
      output_tokens: written,
      output_tokens_details: { text_tokens: 0, image_tokens: written },
      total_tokens: text + image + written,
    },
  };
}
