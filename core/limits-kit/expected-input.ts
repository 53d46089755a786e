import { imageTypeOf } from "../codec-kit/media/image-type.ts";
import type { GatewayRequest } from "../model/request.ts";
import { slot } from "../slot.ts";

/** Bytes of a JSON body that make up a token: of English there are more, of what is not Latin fewer. */
const bytesPerToken = 4;

/** The files of forms are sound and pictures: a second of speech has thousands of bytes, and ten tokens or some more. */
const bytesPerTokenOfForm = 128;

/** What a picture has at most: vendors make large ones smaller before they count. */
const pictureTokens = 5_000;

/** Pictures that stand in a body are looked for at places so far apart, in bytes: smaller ones count as text does. */
const step = 16 * 1024;

/** So many letters of base64 in a row are no text. */
const looked = 64;

const quote = 0x22;

const guessed = slot<GatewayRequest, number>("tokens that are expected to go in");

/**
 * A guess at the tokens that go into a model, by the length of the body: of its canonical form where taps have made another
 * one of it. Pictures that stand in it count as pictures; those by URL are not in it.
 */
export function expectedInput(request: GatewayRequest | undefined): number {
  if (!request) return 0;
  const known = guessed.get(request);
  if (known !== undefined) return known;
  const tokens = tokensIn(request);
  guessed.set(request, tokens);
  return tokens;
}

function tokensIn(request: GatewayRequest): number {
  const made = madeBody(request);
  const bytes = request.bytes ?? (made === undefined ? undefined : Buffer.from(JSON.stringify(made)));
  if (!bytes) return 0;
  if (request.formType !== undefined) return Math.ceil(bytes.length / bytesPerTokenOfForm);
  const pictures = picturesIn(bytes);
  const text = pictures.reduce((left, length) => left - length, bytes.length);
  const seen = pictures.reduce((sum, length) => sum + Math.min(pictureTokens, length / bytesPerToken), 0);
  return Math.ceil(text / bytesPerToken + seen);
}

/** The canonical body of a request that has no bytes any more, or never had any. */
export function madeBody(request: GatewayRequest): unknown {
  if (request.bytes || request.operation === undefined) return undefined;
  try {
    return request.body;
  } catch {
    // Nobody has said what it is to be.
    return undefined;
  }
}

/** The lengths of the pictures that stand in a JSON body as base64, by themselves or in a data URL. */
function picturesIn(body: Buffer): number[] {
  const lengths: number[] = [];
  for (let at = step; at < body.length; at += step) {
    if (!isBase64(body, at)) continue;
    const from = body.lastIndexOf(quote, at) + 1;
    const end = body.indexOf(quote, at);
    if (end < 0) break;
    if (isPicture(body.toString("latin1", from, from + 200))) lengths.push(end - from);
    at = Math.max(at, end);
  }
  return lengths;
}

function isBase64(body: Buffer, from: number): boolean {
  const until = Math.min(from + looked, body.length);
  for (let at = from; at < until; at++) if (letters[body[at] ?? 0] === 0) return false;
  return true;
}

/** Some programs write a slash in JSON with a backslash in front. */
const letters = new Uint8Array(256);
for (const letter of Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\\"))
  letters[letter] = 1;

function isPicture(beginning: string): boolean {
  const data = beginning.replace(/^data:[^,]*,/, "").replaceAll("\\", "");
  return imageTypeOf(Buffer.from(data.slice(0, 16), "base64")) !== undefined;
}
