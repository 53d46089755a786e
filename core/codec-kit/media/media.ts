import { compact, type Fields } from "../records.ts";
import { imageTypeOf } from "./image-type.ts";

/** An image, a video or a sound of an item to embed: its bytes as base64, or where it is, and its type where that is known. */
export interface Media {
  readonly data?: string;
  readonly url?: string;
  readonly mediaType?: string;
}

/**
 * Takes `{url, base64, mime_type}` apart, in which clients write bytes as a data URL in either place. The word of the client
 * for its type comes first, then that of the data URL, then what the first bytes say.
 */
export function mediaOf({ url, base64, mime_type: said }: Readonly<Fields>): Media {
  const written = typeof base64 === "string" ? base64 : typeof url === "string" && isDataUrl(url) ? url : undefined;
  const word = typeof said === "string" && said !== "" ? said.toLowerCase() : undefined;
  if (written === undefined) return compact({ url: typeof url === "string" ? url : undefined, mediaType: word });
  const [, type, data = written] = dataUrl.exec(written) ?? [];
  return compact({ data, mediaType: word ?? (type?.toLowerCase() || undefined) ?? typeOfBytes(data) });
}

/** An item to embed with its media as objects: clients of Jina write an address, or base64, and nothing around it. */
export function withMedia(item: Readonly<Fields>): Readonly<Fields> {
  const bare = ["image", "video", "audio"].flatMap((kind) => {
    const said = item[kind];
    return typeof said === "string" && said !== ""
      ? [[kind, address.test(said) ? { url: said } : { base64: said }]]
      : [];
  });
  return bare.length > 0 ? { ...item, ...Object.fromEntries(bare) } : item;
}

const address = /^[a-z][a-z0-9+.-]*:/i;
const dataUrl = /^data:([^;,]*)[^,]*,(.*)$/is;
const isDataUrl = (url: string): boolean => /^data:/i.test(url);

/** 24 letters hold the 18 bytes by which images are known. */
const typeOfBytes = (data: string): string | undefined => imageTypeOf(Buffer.from(data.slice(0, 24), "base64"));
