import type { Socket } from "node:net";
import type { WebSocket } from "ws";

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** One end of a session: what it has said and heard, and how it was closed. */
export class End {
  readonly socket: WebSocket;
  readonly said: string[] = [];
  readonly heard: string[] = [];
  closed: Closed | undefined;
  /** It takes nothing for a while. */
  isStalled = false;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data: Buffer, isBinary) => this.heard.push(frameOf(data, isBinary)));
    socket.on("error", () => undefined);
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  say(data: Buffer | string, isBinary = false): void {
    this.said.push(frameOf(Buffer.from(data), isBinary));
    this.socket.send(data, { binary: isBinary });
  }

  /** Bytes that are no frame. */
  babble(bytes: Buffer): void {
    this.#connection.write(bytes);
  }

  /** Sends no more, and says nothing of that. */
  fallSilent(): void {
    this.#connection.end();
  }

  stall(): void {
    this.isStalled = true;
    this.socket.pause();
  }

  wake(): void {
    this.isStalled = false;
    this.socket.resume();
  }

  get #connection(): Socket {
    return (this.socket as unknown as { _socket: Socket })._socket;
  }
}

const frameOf = (data: Buffer, isBinary: boolean): string =>
  `${isBinary ? "binary" : "text"} ${data.toString("latin1")}`;
