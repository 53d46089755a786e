import { PassThrough } from "node:stream";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { ClientConnection } from "../road.ts";
import { travel } from "../travel.ts";
import { bodyOf, ownExchange, type Places } from "./own-exchange.ts";
import type { RoadAnswer, RoadRequest } from "./own-road.ts";

/** Sends a request along the road as if a client had. `began` and `ended` keep the generation open meanwhile. */
export async function send(
  places: Places,
  request: RoadRequest,
  began: () => void,
  ended: () => void,
): Promise<RoadAnswer> {
  const exchange = ownExchange(places, request.method, request);
  if (request.internal) exchange.role = "internal";
  const { signal } = request;
  const leave = () => exchange.cancellation.cancel();
  const client = new OwnClient(leave);
  const givenUp = () => {
    leave();
    if (client.headSent) client.over();
  };
  if (signal?.aborted) leave();
  signal?.addEventListener("abort", givenUp, { once: true });
  began();
  const over = travel(places.road, exchange, bodyOf(request.body, request.headers), client)
    .then(() => exchange)
    .finally(() => {
      signal?.removeEventListener("abort", givenUp);
      client.over();
      ended();
    });
  over.catch(() => undefined);
  const head = await client.answered;
  return { ...head, exchange, body: client.body, over };
}

interface Head {
  readonly status: number;
  readonly headers: Record<string, string | string[] | number>;
}

/** The end of the road where nobody is connected: the answer is a stream for whoever asked. */
class OwnClient implements ClientConnection {
  readonly body = new PassThrough();
  readonly answered: Promise<Head>;
  headSent = false;
  #resolve: (head: Head) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(left: () => void) {
    this.answered = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever reads it is told; nobody may be reading it.
    this.body.on("error", () => undefined);
    this.body.on("close", () => {
      if (!this.body.readableEnded) left();
    });
  }
  head(status: number, headers: Head["headers"]): void {
    this.headSent = true;
    this.#resolve({ status, headers });
  }
  write(piece: string | Buffer): boolean {
    return this.body.write(piece);
  }
  end(piece?: string | Buffer): void {
    if (piece !== undefined && piece.length > 0) this.body.end(piece);
    else this.body.end();
  }
  onDrain(listener: () => void): void {
    this.body.once("drain", listener);
  }
  mayBeSent(): void {
    // Nobody has to be told anything to be known to be there.
  }
  destroy(): void {
    if (!this.headSent) this.#reject(brokenOff());
    this.body.destroy(brokenOff());
  }
  /** Nothing more comes: whoever still waits for the head, or for more of the body, waits in vain. */
  over(): void {
    if (!this.headSent || !this.body.writableEnded) this.destroy();
  }
}

const brokenOff = () => new GatewayError("upstream_truncated", "The answer broke off.");
