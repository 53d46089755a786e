import { GatewayError } from "../../errors/gateway-error.ts";
import { timerFor } from "../../time/longest-timer.ts";
import { type Cancellation, clientGone } from "../cancellation.ts";
import type { ClientBody, Road } from "../road.ts";

/** The settings a limit may come from. */
export type BodyLimit = "jsonBodyBytes" | "uploadBodyBytes";

/** How large a body may be, and for how long it is waited for. */
export interface BodyTerms {
  readonly setting: BodyLimit;
  /** Bytes. */
  readonly limit: number;
  /** Milliseconds; 0 is for ever. */
  readonly timeout: number;
  readonly gone: Cancellation;
}

/** What holds for the body of a request. */
export const bodyTerms = (
  { settings }: Pick<Road, "settings">,
  { cancellation }: { readonly cancellation: Cancellation },
  setting: BodyLimit,
): BodyTerms => ({ setting, limit: settings[setting], timeout: settings.bodyTimeout, gone: cancellation });

/** Reads a body whole. Refuses early when it says that it is too large, and late when it turns out to be. */
export const readBody = (body: ClientBody, terms: BodyTerms): Promise<Buffer> =>
  bodyRead(body, terms, (bytes) => bytes);

/** What is made of it, by `use`, at once: a promise that is waited for in between costs a turn. */
export function bodyRead<Made>(
  body: ClientBody,
  terms: BodyTerms,
  use: (bytes: Buffer) => Made | Promise<Made>,
): Promise<Made> {
  const { limit, setting, timeout, gone } = terms;
  if ((body.contentLength ?? 0) > limit) return Promise.reject(tooLarge(limit, setting));
  body.invite?.();
  return new Promise((resolve, reject) => {
    const made = (bytes: Buffer) => {
      try {
        resolve(use(bytes));
      } catch (error) {
        reject(error);
      }
    };
    const reading = new BodyReading(body, terms, made, reject);
    const cut = () => reading.cut();
    body.stream
      .on("data", (bytes: Buffer) => reading.data(bytes))
      .on("end", () => reading.end())
      .on("error", cut);
    gone.listen(cut);
    // Most bodies come with their headers, and are there in the next tick: they need no clock.
    if (timeout > 0) process.nextTick(expire, reading, timeout);
  });
}

function expire(reading: BodyReading, milliseconds: number): void {
  if (!reading.isThere) reading.expireAfter(milliseconds);
}

function tooLarge(limit: number, setting: BodyLimit): GatewayError {
  return new GatewayError("body_too_large", `The body is larger than ${limit} bytes (server.limits.${setting}).`);
}

/** One body on its way in. */
class BodyReading {
  readonly #body: ClientBody;
  readonly #terms: BodyTerms;
  readonly #read: (bytes: Buffer) => void;
  readonly #failed: (error: GatewayError) => void;
  readonly #pieces: Buffer[] = [];
  #length = 0;
  #over = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    body: ClientBody,
    terms: BodyTerms,
    read: (bytes: Buffer) => void,
    failed: (error: GatewayError) => void,
  ) {
    this.#body = body;
    this.#terms = terms;
    this.#read = read;
    this.#failed = failed;
  }

  /** Whether all of it has come, or no more of it is wanted. */
  get isThere(): boolean {
    return this.#over || this.#length === this.#body.contentLength;
  }

  expireAfter(milliseconds: number): void {
    this.#timer = setTimeout(
      () => this.#fail(new GatewayError("body_timeout", `The body did not arrive within ${milliseconds} ms.`)),
      timerFor(milliseconds),
    );
  }

  data(bytes: Buffer): void {
    if (this.#over) return;
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    const { limit, setting } = this.#terms;
    if (this.#length > limit) this.#fail(tooLarge(limit, setting));
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#read(this.#taken());
  }

  /** All of it, which stays here no longer: those who listen to the connection stay until the request is over. */
  #taken(): Buffer {
    const [only] = this.#pieces;
    const whole = this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces, this.#length);
    this.#pieces.length = 0;
    return whole;
  }

  cut(): void {
    if (!this.#over) this.#fail(clientGone());
  }

  #fail(error: GatewayError): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    // The rest is read all the same, and thrown away: many clients hear of an error only when they have said all.
    this.#pieces.length = 0;
    this.#failed(error);
  }
}
