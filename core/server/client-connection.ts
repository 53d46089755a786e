import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { ClientUpgrade } from "../model/socket.ts";
import type { ClientConnection } from "../pipeline/road.ts";
import { harmless } from "./half-closed.ts";
import type { Upgrade } from "./upgrade.ts";

/** A node response as the pipeline knows it. Sockets have no Nagle's delay, and headers leave with the first bytes. */
export class NodeClient implements ClientConnection {
  readonly #response: ServerResponse;
  headSent = false;
  /** Whether somebody else has the connection now. */
  taken = false;
  readonly takeOver: ClientConnection["takeOver"];
  readonly #upgrade: Upgrade | undefined;

  constructor(response: ServerResponse, upgrade?: Upgrade) {
    this.#response = response;
    this.#upgrade = upgrade;
    this.takeOver = upgrade && ((headers) => this.#takeOver(upgrade, headers));
  }
  head(status: number, headers: Record<string, string | string[] | number>): void {
    this.headSent = true;
    // What the gateway says itself is written already, and would be replaced.
    const varies = headers.vary === undefined ? undefined : this.#response.getHeader("vary");
    if (varies !== undefined) headers.vary = [varies, headers.vary].flat().join(", ");
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
    const { req, socket } = this.#response;
    // HTTP/1.0 has no other end of an answer than that of the connection: a cut is seen by a reset only.
    if (req.httpVersion === "1.0" && this.headSent && socket && !(socket instanceof TLSSocket))
      socket.resetAndDestroy();
    this.#response.destroy();
    if (this.taken) this.#upgrade?.socket.destroy();
  }
  #takeOver({ socket, head, unwatch }: Upgrade, headers: ClientUpgrade["headers"]): ClientUpgrade {
    unwatch();
    this.taken = true;
    this.headSent = true;
    this.#response.detachSocket(socket as Socket);
    return { request: this.#response.req, socket, head, headers };
  }
}

/** Reason phrases node does not know. */
const reasonOf: Readonly<Record<number, string>> = { 246: "Hooks failed", 446: "Hooks failed" };
