import type { RawData, WebSocket } from "ws";

/** Moves frames from one socket to another as they are, and stops reading while too much waits to be sent. */
export class Direction {
  readonly #from: WebSocket;
  readonly #to: WebSocket;
  readonly #mostWaiting: number;
  readonly #moved: ((data: RawData, isBinary: boolean) => void) | undefined;
  readonly #sent: () => void;
  #held = false;

  /** `moved` sees each frame after it is on its way. */
  constructor(
    from: WebSocket,
    to: WebSocket,
    mostWaiting: number,
    moved: ((data: RawData, isBinary: boolean) => void) | undefined,
  ) {
    this.#from = from;
    this.#to = to;
    this.#mostWaiting = mostWaiting;
    this.#moved = moved;
    this.#sent = () => this.#letGo();
    from.on("message", (data, isBinary) => this.#move(data, isBinary));
    // There is nobody to wait for any more: a socket that is not read does not close either.
    to.once("close", () => this.#letGo());
  }

  #move(data: RawData, isBinary: boolean): void {
    this.#to.send(data, { binary: isBinary }, this.#sent);
    if (!this.#held && this.#to.bufferedAmount > this.#mostWaiting) {
      this.#held = true;
      this.#from.pause();
    }
    this.#moved?.(data, isBinary);
  }

  #letGo(): void {
    if (!this.#held || (this.#to.readyState === this.#to.OPEN && this.#to.bufferedAmount > this.#mostWaiting / 2))
      return;
    this.#held = false;
    this.#from.resume();
  }
}
