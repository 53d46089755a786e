import { GatewayError } from "../../errors/gateway-error.ts";
import { type ClockName, RunningClocks } from "../../http/upstream/clocks.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Clocks } from "../../model/clocks.ts";
import type { Transport, UpstreamCall, UpstreamHandle, UpstreamListener } from "../../model/transport.ts";
import { clientGone } from "../cancellation.ts";
import { Unpacker } from "./unpacker.ts";

type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Who reads the body of an answer. */
export interface BodyReader {
  data(bytes: Buffer): void;
  end(): void;
  error(error: GatewayError): void;
}

/** An answer whose headers are there and whose body waits for its reader. */
export interface Reply {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  readonly conversation: Conversation;
}

export interface CallOptions {
  readonly clocks: Clocks;
  readonly stream: boolean;
  /** The answer goes on as it came, packed where it is. */
  readonly raw?: boolean;
  readonly attempt: Attempt;
  /** Milliseconds since the exchange began. */
  readonly clock: { elapsed(): number };
}

/** Bytes buffered for a reader that has not come yet before the upstream is asked to wait. */
const patience = 256 * 1024;

/** One call under its clocks. `reply` settles when the headers are there, or when the call has failed. */
export class Conversation implements UpstreamListener {
  readonly reply: Promise<Reply>;
  #settle!: { resolve(reply: Reply): void; reject(error: GatewayError): void };
  readonly #options: CallOptions;
  readonly #clocks: RunningClocks;
  #handle: UpstreamHandle | undefined;
  #reader: BodyReader | undefined;
  #early: Buffer[] = [];
  #earlyBytes = 0;
  #awaited: ((bytes: Buffer | undefined) => void) | undefined;
  #held = false;
  #unpacker: Unpacker | undefined;
  #ending: "end" | GatewayError | undefined;
  #origin = "";

  constructor(options: CallOptions) {
    this.#options = options;
    this.reply = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#clocks = new RunningClocks(options.clocks, options.stream, (clock, after) => this.#expired(clock, after));
  }

  get attempt(): Attempt {
    return this.#options.attempt;
  }

  start(transport: Transport, call: UpstreamCall): this {
    this.#origin = call.origin;
    try {
      this.#handle = transport.send(call, this);
    } catch (cause) {
      this.error(cause instanceof Error ? cause : new Error(String(cause)));
    }
    if (!this.#ending) this.#clocks.started();
    return this;
  }

  connected(): void {
    this.#options.attempt.connectedAt = this.#options.clock.elapsed();
    this.#clocks.connected();
  }

  headers(status: number, headers: UpstreamHeaders): void {
    this.#options.attempt.headersAt = this.#options.clock.elapsed();
    this.#clocks.headers();
    this.#settle.resolve({ status, headers: this.#plain(headers), conversation: this });
  }

  /** The headers of the answer unpacked, where it is packed. */
  #plain(headers: UpstreamHeaders): UpstreamHeaders {
    if (headers["content-encoding"] === undefined || this.#options.raw) return headers;
    const { "content-encoding": encoding, "content-length": _, ...others } = headers;
    this.#unpacker = Unpacker.of(encoding, {
      data: (bytes) => this.#deliver(bytes),
      end: () => this.#finish("end"),
      error: (error) => {
        this.#finish(error);
        this.#handle?.abort();
      },
    });
    return this.#unpacker ? others : headers;
  }

  data(bytes: Buffer): void {
    if (this.#ending) return;
    this.#clocks.piece();
    this.#options.attempt.firstByteAt ??= this.#options.clock.elapsed();
    if (this.#unpacker) this.#unpacker.push(bytes);
    else this.#deliver(bytes);
  }

  #deliver(bytes: Buffer): void {
    if (this.#ending) return;
    if (this.#reader) return this.#reader.data(bytes);
    this.#early.push(bytes);
    this.#awaited?.(bytes);
    this.#earlyBytes += bytes.length;
    if (this.#earlyBytes > patience) this.hold();
  }

  end(): void {
    if (this.#unpacker) this.#unpacker.end();
    else this.#finish("end");
  }

  error(cause: Error): void {
    this.#finish(connectionError(cause, this.#upstream()));
  }

  /** Attaches the one reader; what arrived meanwhile comes at once. */
  read(reader: BodyReader): void {
    this.#reader = reader;
    const early = this.#early;
    this.#early = [];
    // Held until now for want of a reader; the reader may well find on the first bytes that its client does not keep up.
    const waited = this.#held;
    this.#held = false;
    for (const bytes of early) {
      reader.data(bytes);
      // It has heard enough.
      if (this.#reader !== reader) return;
    }
    if (this.#ending) return this.#tellEnding();
    if (this.#held) return;
    this.#clocks.release();
    if (waited) this.#resume();
  }

  /** The first bytes of the body, before anybody reads it; none where there are none. They are read again. */
  first(): Promise<Buffer | undefined> {
    if (this.#early.length > 0 || this.#ending) return Promise.resolve(this.#early[0]);
    // Whoever waits for them is kept waiting by the upstream; once they are there, by whoever does not read on.
    this.#clocks.release();
    return new Promise((resolve) => {
      this.#awaited = (bytes) => {
        this.#awaited = undefined;
        if (!this.#reader) this.#clocks.hold();
        resolve(bytes);
      };
    });
  }

  /** Whether the body has begun or is over, in order or not. Undefined where nobody knows yet. */
  get begun(): "begun" | GatewayError | undefined {
    if (this.#ending && this.#ending !== "end") return this.#ending;
    return this.#early.length > 0 || this.#ending ? "begun" : undefined;
  }

  /** The client does not keep up: stop reading, and stop the clock that would blame the upstream for it. */
  hold(): void {
    if (this.#ending || this.#held) return;
    this.#held = true;
    this.#handle?.pause();
    this.#unpacker?.hold();
    this.#clocks.hold();
  }

  release(): void {
    if (this.#ending || !this.#held) return;
    this.#held = false;
    this.#clocks.release();
    this.#resume();
  }

  #resume(): void {
    this.#handle?.resume();
    this.#unpacker?.release();
  }

  /** The first frame of a stream was accepted: from here on only silence counts. */
  firstToken(): void {
    this.#options.attempt.firstTokenAt = this.#options.clock.elapsed();
    this.#clocks.firstToken();
  }

  /** Gives the call up, for its reader: that one is not told; whoever waits for the headers is. */
  abort(): void {
    this.#reader = undefined;
    this.cancel();
  }

  /** Gives the call up, for whom it is made. Whoever waits for anything of it is told why. */
  cancel(reason = clientGone()): void {
    this.#finish(reason);
    this.#handle?.abort();
  }

  #expired(clock: ClockName, milliseconds: number): void {
    const upstream = this.#upstream();
    this.#finish(clockError(clock, milliseconds, upstream, this.#handle?.full));
    this.#handle?.abort();
  }

  /** Whose failures are told: the provider with its host and port. The rest of a base URL may hold a credential. */
  #upstream(): string {
    const host = this.#origin.replace(/^[^:]*:\/\/(?:[^/@]*@)?([^/?#]*).*$/, "$1");
    return `${this.#options.attempt.target.provider.slug} (${host})`;
  }

  #finish(ending: "end" | GatewayError): void {
    if (this.#ending) return;
    this.#ending = ending;
    this.#clocks.stop();
    this.#unpacker?.stop();
    this.#options.attempt.endedAt = this.#options.clock.elapsed();
    if (ending !== "end") this.#settle.reject(ending);
    this.#awaited?.(undefined);
    this.#tellEnding();
  }

  #tellEnding(): void {
    const reader = this.#reader;
    if (!reader || !this.#ending) return;
    this.#reader = undefined;
    if (this.#ending === "end") reader.end();
    else reader.error(this.#ending);
  }
}

const allTaken = "; as many are open, or being opened, as server.connectionsPerHost allows";

function clockError(clock: ClockName, milliseconds: number, upstream: string, full = false): GatewayError {
  switch (clock) {
    case "connect":
      return new GatewayError(
        "upstream_unreachable",
        `${upstream} did not accept a connection within ${milliseconds} ms${full ? allTaken : ""}.`,
      );
    case "idle":
      return new GatewayError("request_timeout", `Upstream was silent for ${milliseconds} ms.`);
    case "firstToken":
      return new GatewayError("request_timeout", `Upstream did not send a first token within ${milliseconds} ms.`);
    default:
      return new GatewayError("request_timeout", `Upstream did not answer within ${milliseconds} ms.`);
  }
}

/** What a failed connection means. Addresses and certificates stay in the cause, for the log. */
function connectionError(cause: Error, upstream: string): GatewayError {
  for (let inner: unknown = cause; inner instanceof Error; inner = inner.cause)
    if (inner instanceof GatewayError) return inner;
  const code = "code" in cause && cause.code !== undefined ? String(cause.code) : cause.name;
  if (code === "UND_ERR_CONNECT_TIMEOUT")
    return new GatewayError("upstream_unreachable", `${upstream} did not accept a connection in time.`, {}, { cause });
  return new GatewayError("upstream_failed", `The connection to ${upstream} failed (${code}).`, {}, { cause });
}
