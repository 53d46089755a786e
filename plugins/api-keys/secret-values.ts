import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";

/** The digest a value is found by. Both are of no use without the installation's key. */
export const digestOf = (key: KeyObject, value: string): Buffer => createHmac("sha256", key).update(value).digest();

/** Characters of a value after its prefix: 36 that are drawn (27 bytes) and 7 that follow from them. */
const drawn = 36;
const marks = 7;

/**
 * A new value: the prefix and 43 characters of base64url. The last seven are a mark that only this installation can make:
 * a value without it was not made here, which is known without asking the store (core/decisions/0025).
 */
export function newValue(key: KeyObject, prefix: string): string {
  const body = prefix + randomBytes((drawn * 3) / 4).toString("base64url");
  return body + markOf(key, body);
}

/** Whether a value carries the mark of this installation. */
export function isMarked(key: KeyObject, value: string): boolean {
  if (value.length < drawn + marks) return false;
  const mark = Buffer.from(value.slice(-marks));
  const right = Buffer.from(markOf(key, value.slice(0, -marks)));
  return mark.length === right.length && timingSafeEqual(mark, right);
}

/** A header holds no control characters, so that no value's digest is another one's mark. */
const markOf = (key: KeyObject, body: string): string =>
  createHmac("sha256", key).update(`mark\n${body}`).digest("base64url").slice(0, marks);
