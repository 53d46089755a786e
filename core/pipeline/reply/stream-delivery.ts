import { publicMessage } from "../../errors/error-body.ts";
import type { ErrorDetail } from "../../errors/error-detail.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Ending } from "../../model/exchange.ts";
import { timerFor } from "../../time/longest-timer.ts";
import { Silence } from "../../time/silence.ts";
import type { ClientConnection } from "../road.ts";
import { framingRules } from "../stream/framing.ts";
import type { StreamClosing, StreamWork } from "../stream/stream-work.ts";
import type { BodyReader, Reply } from "./conversation.ts";

/** How a stream began: with something to send, or with a failure before anything was sent. */
export type Beginning =
  | { readonly kind: "flowing" }
  | { readonly kind: "failed"; readonly error: GatewayError | ErrorDetail };

export interface StreamResult {
  readonly ending: Ending;
  readonly error?: GatewayError | ErrorDetail;
  /** A tap ended it, and the client has been told so. */
  readonly given?: true;
}

/** What the client gets before a stream, and after one that ended in order or that a tap has ended. */
export interface Around {
  readonly staysOpen?: boolean;
  readonly before?: string | undefined;
  readonly last?: ((ended: StreamResult) => Promise<string>) | undefined;
}

/** Milliseconds a stream may stay open, and silent, behind the end of its answer. */
const farewell = 1000;

/**
 * Moves one stream from an upstream to a client. Until `attach` nothing has been sent: what arrives is held, so that a
 * stream that fails at once can still be tried elsewhere.
 */
export class StreamDelivery implements BodyReader {
  /** Settles with the first frame, or with the failure that came instead of it. */
  readonly beginning: Promise<Beginning>;
  #begin!: (beginning: Beginning) => void;
  readonly #work: StreamWork;
  readonly #reply: Reply;
  readonly #commentAfter: number;
  readonly #silence: string;
  #held: (string | Buffer)[] = [];
  #client: ClientConnection | undefined;
  #closing: (StreamClosing & { error?: GatewayError | ErrorDetail }) | undefined;
  #done: ((result: StreamResult) => void) | undefined;
  #opening: NodeJS.Timeout | undefined;
  #quiet: Silence | undefined;
  #stirring: NodeJS.Timeout | undefined;
  /** Goes off where a vendor has told the end of its answer, and does not close the stream. */
  #leaving: NodeJS.Timeout | undefined;
  #flowing = false;
  #holding = false;
  #staysOpen = false;
  #last: Around["last"];

  /** `whenEmpty` calls back once a stream of which nothing came may begin all the same; absent where none may. */
  constructor(
    work: StreamWork,
    reply: Reply,
    commentAfter: number,
    whenEmpty: ((begin: () => void) => void) | undefined,
    silence = framingRules(undefined).silence,
  ) {
    this.#silence = silence;
    this.#work = work;
    this.#reply = reply;
    this.#commentAfter = commentAfter;
    this.beginning = new Promise((resolve) => {
      this.#begin = resolve;
    });
    // A silent upstream that has accepted the request is waited for in the open, unless we may still want to go elsewhere.
    if (whenEmpty && commentAfter > 0)
      this.#opening = setTimeout(whenEmpty, timerFor(commentAfter), () => this.#begin({ kind: "flowing" }));
    reply.conversation.read(this);
  }

  data(bytes: Buffer): void {
    let out: Buffer | string;
    try {
      out = this.#work.push(bytes);
    } catch (error) {
      this.#reply.conversation.abort();
      return this.#close({ out: "", error: asGatewayError(error) });
    }
    this.#pass(out);
    if (this.#work.over) this.#leave();
  }

  /** A vendor that has told the end of its answer closes the stream soon; what it does not close is not waited for. */
  #leave(): void {
    if (this.#closing) return;
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => {
      this.#reply.conversation.abort();
      this.end();
    }, farewell);
  }

  /** Lets taps go on with what they held back for so long, whether anything comes or not. */
  stir(every: number): void {
    this.#stirring = setInterval(() => {
      if (this.#closing) return;
      try {
        this.#pass(this.#work.stir?.() ?? "");
      } catch (error) {
        this.#reply.conversation.abort();
        this.#close({ out: "", error: asGatewayError(error) });
      }
    }, every);
  }

  #pass(out: Buffer | string): void {
    if (out.length > 0) this.#send(out);
    const { upstreamError } = this.#work;
    if (!upstreamError) return;
    if (!this.#flowing) this.#begin({ kind: "failed", error: upstreamError });
    if (this.#work.forwardsErrors) return;
    this.#reply.conversation.abort();
    this.#close({ out: "", error: upstreamError });
  }

  end(): void {
    let closing: StreamClosing;
    try {
      closing = this.#work.end();
    } catch (error) {
      return this.#close({ out: "", error: asGatewayError(error) });
    }
    const error = closing.failure ?? this.#work.upstreamError;
    this.#close(error ? { ...closing, error } : closing);
  }

  error(error: GatewayError): void {
    if (error.code !== "client_gone") return this.#work.whole ? this.end() : this.#close({ out: "", error });
    this.#begin({ kind: "failed", error });
    this.#finish({ ending: "client-gone" });
  }

  /**
   * Sends what is held and everything after it. Resolves when the client has its last byte, or is gone; where
   * `staysOpen`, also when the stream has failed, and the client's answer is then still to be ended.
   */
  attach(client: ClientConnection, { staysOpen = false, before, last }: Around = {}): Promise<StreamResult> {
    clearTimeout(this.#opening);
    this.#staysOpen = staysOpen;
    this.#last = last;
    return new Promise((resolve) => {
      this.#client = client;
      this.#done = resolve;
      if (before) client.write(before);
      if (this.#silence !== "") client.mayBeSent(this.#silence);
      if (this.#commentAfter > 0 && this.#silence !== "")
        this.#quiet = new Silence(this.#commentAfter, () => this.#comment());
      const held = this.#held;
      this.#held = [];
      if (held.length === 0 && !this.#closing) client.write(this.#silence);
      for (const piece of held) this.#write(piece);
      this.#tryFinish();
    });
  }

  /** The client is gone, or the stream is not wanted any more. */
  abandon(): void {
    this.#reply.conversation.abort();
    this.#finish({ ending: "client-gone" });
  }

  /** The stream is ended before its time, and says so. */
  giveUp(error: GatewayError): void {
    this.#reply.conversation.abort();
    this.#close({ out: "", error });
  }

  /** The in-band error that ends an answer left open. */
  failure(error: GatewayError | ErrorDetail): Buffer | string {
    return this.#work.fail(detailOf(error));
  }

  #send(out: Buffer | string): void {
    if (!this.#flowing && this.#work.begun && !this.#work.upstreamError) {
      this.#flowing = true;
      this.#reply.conversation.firstToken();
      this.#begin({ kind: "flowing" });
    }
    if (this.#client) this.#write(out);
    else this.#held.push(out);
  }

  #write(out: Buffer | string): void {
    this.#quiet?.heard();
    if (this.#client?.write(out) !== false || this.#holding) return;
    this.#holding = true;
    this.#reply.conversation.hold();
    this.#client.onDrain(() => {
      this.#holding = false;
      this.#reply.conversation.release();
    });
  }

  /** Tells proxies and clients that the connection lives. The upstream's clocks do not hear of it. */
  #comment(): void {
    // A client that does not read needs no sign of life, and would let comments pile up.
    if (!this.#holding && !this.#work.finished) this.#client?.write(this.#silence);
  }

  #close(closing: StreamClosing & { error?: GatewayError | ErrorDetail }): void {
    if (this.#closing) return;
    this.#closing = closing;
    clearInterval(this.#stirring);
    clearTimeout(this.#leaving);
    if (!this.#flowing) {
      if (closing.error) this.#begin({ kind: "failed", error: closing.error });
      else this.#begin({ kind: "flowing" });
    }
    this.#tryFinish();
  }

  #tryFinish(): void {
    const client = this.#client;
    const closing = this.#closing;
    if (!client || !closing) return;
    const { out, error } = closing;
    if (error && this.#work.given) return this.#endGiven(client, out, error);
    if (error && this.#staysOpen) {
      if (out.length > 0) client.write(out);
      this.#finish({ ending: "truncated", error });
      return;
    }
    if (!error && this.#last) return this.#endWith(client, this.#last, out, { ending: "complete" });
    // An error the vendor reported itself has been forwarded as it came where bytes pass through.
    const reported = error === this.#work.upstreamError && error !== undefined && this.#work.forwardsErrors;
    const last = error && !reported ? this.#work.fail(detailOf(error)) : "";
    client.end(
      out.length === 0 ? last : last.length === 0 ? out : Buffer.concat([Buffer.from(out), Buffer.from(last)]),
    );
    this.#finish(error ? { ending: "truncated", error } : { ending: "complete" });
  }

  #endGiven(client: ClientConnection, out: Buffer | string, error: GatewayError | ErrorDetail): void {
    const all = Buffer.concat([Buffer.from(out), Buffer.from(this.#work.fail(detailOf(error)))]);
    const result: StreamResult = { ending: "truncated", error, given: true };
    if (this.#last) return this.#endWith(client, this.#last, all, result);
    client.end(all);
    this.#finish(result);
  }

  /** All of the stream is there; what is said about it comes when it has been settled. */
  #endWith(
    client: ClientConnection,
    last: NonNullable<Around["last"]>,
    out: Buffer | string,
    result: StreamResult,
  ): void {
    this.#last = undefined;
    if (out.length > 0) client.write(out);
    const done = (text: string) => {
      client.end(text);
      this.#finish(result);
    };
    last(result).then(done, () => done(""));
  }

  #finish(result: StreamResult): void {
    clearTimeout(this.#opening);
    clearInterval(this.#stirring);
    clearTimeout(this.#leaving);
    this.#quiet?.stop();
    this.#done?.(result);
    this.#done = undefined;
    this.#client = undefined;
  }
}

const asGatewayError = (error: unknown): GatewayError =>
  error instanceof GatewayError
    ? error
    : new GatewayError("internal", "The stream could not be translated.", {}, { cause: error });

/** An error as it stands inside a stream. */
export const detailOf = (error: GatewayError | ErrorDetail): ErrorDetail =>
  error instanceof GatewayError
    ? {
        message: publicMessage(error),
        type: error.row.type,
        ...(error.row.wireCode !== undefined && { code: error.row.wireCode }),
      }
    : error;
