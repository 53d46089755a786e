import type { ServerResponse } from "node:http";
import type { ClientConnection } from "../../pipeline/road.ts";
import { harmless } from "./half-closed.ts";

/** A node response as the pipeline knows it. Sockets have no Nagle's delay, and headers leave with the first bytes. */
export class NodeClient implements ClientConnection {
  readonly #response: ServerResponse;
  headSent = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }
  head(status: number, headers: Record<string, string | string[] | number>): void {
    this.headSent = true;
    this.#response.writeHead(status, reasonOf[status], headers);
  }
  write(piece: string | Buffer): boolean {
    return this.#response.write(piece);
  }
  end(piece?: string | Buffer): void {
    if (piece !== undefined && piece.length > 0) this.#response.end(piece);
    else this.#response.end();
  }
  onDrain(listener: () => void): void {
    this.#response.once("drain", listener);
  }
  mayBeSent(text: string): void {
    harmless.set(this.#response, text);
  }
  destroy(): void {
    this.#response.destroy();
  }
}

/** Reason phrases node does not know. */
const reasonOf: Readonly<Record<number, string>> = { 246: "Hooks failed", 446: "Hooks failed" };
