import { GatewayError } from "../../errors/gateway-error.ts";
import { timerFor } from "../../longest-timer.ts";
import { type Cancellation, clientGone } from "../cancellation.ts";
import type { ClientBody } from "../road.ts";

/** Reads a body whole. Refuses early when it says that it is too large, and late when it turns out to be. */
export function readBody(
  body: ClientBody,
  limit: number,
  timeoutMs: number,
  gone: Cancellation,
  setting: LimitName = "jsonBodyBytes",
): Promise<Buffer> {
  if ((body.contentLength ?? 0) > limit) return Promise.reject(tooLarge(limit, setting));
  body.invite?.();
  return new Promise((resolve, reject) => {
    const reading = new BodyReading(body, limit, setting, { resolve, reject });
    const cut = () => reading.cut();
    body.stream
      .on("data", (bytes: Buffer) => reading.data(bytes))
      .on("end", () => reading.end())
      .on("error", cut);
    gone.add(cut);
    // Most bodies come with their headers, and are there in the next tick: they need no clock.
    if (timeoutMs > 0) process.nextTick(expire, reading, timeoutMs);
  });
}

function expire(reading: BodyReading, milliseconds: number): void {
  if (!reading.isThere) reading.expireAfter(milliseconds);
}

/** The setting a limit comes from. */
type LimitName = "jsonBodyBytes" | "uploadBodyBytes";

function tooLarge(limit: number, setting: LimitName): GatewayError {
  return new GatewayError("body_too_large", `The body is larger than ${limit} bytes (server.limits.${setting}).`);
}

interface Settle {
  resolve(bytes: Buffer): void;
  reject(error: GatewayError): void;
}

/** One body on its way in. */
class BodyReading {
  readonly #body: ClientBody;
  readonly #limit: number;
  readonly #setting: LimitName;
  readonly #settle: Settle;
  readonly #pieces: Buffer[] = [];
  #length = 0;
  #over = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(body: ClientBody, limit: number, setting: LimitName, settle: Settle) {
    this.#body = body;
    this.#limit = limit;
    this.#setting = setting;
    this.#settle = settle;
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
    if (this.#length > this.#limit) this.#fail(tooLarge(this.#limit, this.#setting));
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    const [only] = this.#pieces;
    this.#settle.resolve(this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces, this.#length));
  }

  cut(): void {
    if (!this.#over) this.#fail(clientGone());
  }

  #fail(error: GatewayError): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#body.stream.pause();
    this.#settle.reject(error);
  }
}
