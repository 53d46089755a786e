import {
  compact,
  type Fields,
  type Image,
  type ImageRequest,
  type ImageResponse,
  isRecord,
  raise,
  readErrorBody,
  recordsIn,
  type Usage,
} from "../../../core/index.ts";
import { decodeFinishReason } from "../response/finish-reason.ts";
import { usageOf } from "../response/usage.ts";

export const decodeRequest = (): ImageRequest =>
  raise("internal", "Clients ask for images of this API as for everything else: it is what vendors are asked in.");

export const encodeResponse = ({ images }: ImageResponse): Fields => ({
  candidates: [
    {
      content: {
        role: "model",
        parts: images.map(({ url, base64 }) =>
          base64 === undefined
            ? { fileData: { fileUri: url } }
            : { inlineData: { mimeType: "image/png", data: base64 } },
        ),
      },
    },
  ],
});

const partsOf = ({ content }: Fields): readonly Fields[] => (isRecord(content) ? recordsIn(content.parts) : []);

/** What is drawn on the way to an image is a thought. */
const imageIn = ({ inlineData, thought }: Fields): Image | undefined =>
  !thought && isRecord(inlineData) && typeof inlineData.data === "string" ? { base64: inlineData.data } : undefined;

const imagesIn = (body: Fields): readonly Image[] =>
  recordsIn(body.candidates)
    .flatMap(partsOf)
    .map(imageIn)
    .filter((image) => image !== undefined);

export function decodeResponse(body: unknown): ImageResponse {
  const wire = isRecord(body) ? body : {};
  const images = imagesIn(wire);
  if (images.length > 0) return { images, ...compact({ usage: readUsage(wire) }) };
  const reasons = reasonsIn(wire);
  const filter = reasons.find(isFilter) ?? blockedIn(wire);
  if (filter !== undefined) raise("content_filtered", `The vendor's filters left no image: ${filter}`);
  const said = readErrorBody(wire)?.message ?? recordsIn(wire.candidates).flatMap(partsOf).map(textIn).join("");
  raise("upstream_invalid", `The answer holds no images: ${said || reasons.join(", ") || "they are missing"}`);
}

const textIn = ({ text, thought }: Fields): string => (typeof text === "string" && !thought ? text : "");

const reasonsIn = (wire: Fields): readonly string[] =>
  recordsIn(wire.candidates)
    .map(({ finishReason }) => finishReason)
    .filter((reason) => typeof reason === "string");

/** `SAFETY` and its like, and those that are there for images only. */
const isFilter = (reason: string): boolean => decodeFinishReason(reason, false) === "content-filter";

const blockedIn = ({ promptFeedback }: Fields): string | undefined =>
  isRecord(promptFeedback) && typeof promptFeedback.blockReason === "string" ? promptFeedback.blockReason : undefined;

export function readUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const images = imagesIn(wire).length;
  const tokens = usageOf(wire);
  return images > 0 ? { ...tokens, images } : tokens;
}
