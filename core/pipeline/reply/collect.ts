import { GatewayError } from "../../errors/gateway-error.ts";
import { unmarked } from "../../json-bytes.ts";
import type { Reply } from "./conversation.ts";
import { said } from "./said.ts";

const same = (bytes: Buffer): Buffer => bytes;

/** Hears what had come of a body that was cut short. What it makes of it changes nothing. */
type Broken = (begun: Buffer) => void;

/** The whole body of an answer. Rejects with `upstream_too_large` beyond the limit, and with what cut it short. */
export const collect = (reply: Reply, limit: number, broken?: Broken): Promise<Buffer> =>
  collected(reply, limit, same, { broken });

/** The same of a stream that its client waits for as one: once it flows, it has begun for its clocks. */
export const collectStream = (reply: Reply, limit: number, broken?: Broken): Promise<Buffer> =>
  collected(reply, limit, same, { begun: () => reply.conversation.firstToken(), broken });

/** What is made of it, by `use`, at once: a promise that is waited for in between costs a turn. */
export function collected<Made>(
  reply: Reply,
  limit: number,
  use: (bytes: Buffer) => Made | Promise<Made>,
  { begun, broken }: { readonly begun?: () => void; readonly broken?: Broken | undefined } = {},
): Promise<Made> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    reply.conversation.read({
      data(bytes) {
        if (length === 0) begun?.();
        pieces.push(bytes);
        length += bytes.length;
        if (length <= limit) return;
        reply.conversation.abort();
        reject(tooLarge(limit));
      },
      end() {
        const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, length);
        said.set(reply.conversation.attempt, bytes);
        try {
          resolve(use(bytes));
        } catch (error) {
          reject(error);
        }
      },
      error(error) {
        try {
          if (length > 0) broken?.(Buffer.concat(pieces, length));
        } catch {
          // It broke off: what cannot be read of it is not known.
        }
        reject(error);
      },
    });
  });
}

/** Bytes of an error body that are read at most: more is not an error message. */
const errorBodyBytes = 1024 * 1024;
/** Milliseconds for it: the status has said already what matters. */
const errorBodyTime = 10_000;
/** Characters of one that is not whole: nobody can read it as what it was to be, and it is quoted. */
const quoted = 2048;
/** What has no end may be the beginning of a secret. */
const lastWord = /[\w.+/=-]+$/;

/**
 * The text of a refusal as `clean` leaves it, or the beginning of one that is too long, breaks off or does not come to its
 * end: the status is the vendor's whatever becomes of the words. Rejects only when nobody waits for it any more.
 */
export function collectError({ conversation }: Reply, clean: (text: string) => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const read = (): string => {
      clearTimeout(timer);
      const bytes = Buffer.concat(pieces, length);
      said.set(conversation.attempt, bytes);
      return clean(unmarked(bytes).toString());
    };
    const broken = () => {
      conversation.abort();
      resolve(read().slice(0, quoted).replace(lastWord, ""));
    };
    const timer = setTimeout(broken, errorBodyTime);
    conversation.read({
      data(bytes) {
        pieces.push(bytes);
        length += bytes.length;
        if (length > errorBodyBytes) broken();
      },
      end: () => resolve(read()),
      error(error) {
        if (error.code !== "client_gone") return broken();
        clearTimeout(timer);
        reject(error);
      },
    });
  });
}

/** An answer that is longer than one may be. */
export const tooLarge = (limit: number): GatewayError =>
  new GatewayError("upstream_too_large", `Upstream response too large: more than ${limit} bytes.`);
