import { isRecord, type Rewrite } from "../../core/provider-kit/index.ts";

/**
 * Images to be changed as this vendor has them: `{image: {url, type: "image_url"}}`, or `images` where there are several (docs.x.ai,
 * Image Editing: "the xAI API requires application/json").
 */
export const edits: Rewrite = {
  when: ['"image"', '"images"'],
  apply({ image, images, ...wire }) {
    const shown = [image ?? [], images ?? []].flat().map(shownAs);
    return shown.length === 1 ? { ...wire, image: shown[0] } : { ...wire, images: shown };
  },
};

function shownAs(reference: unknown): unknown {
  if (typeof reference === "string") return { url: reference, type: "image_url" };
  if (!isRecord(reference) || typeof reference.image_url !== "string") return reference;
  const { image_url: url, ...more } = reference;
  return { ...more, url, type: "image_url" };
}
