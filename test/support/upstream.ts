import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { certified } from "./certificates.ts";

/** What an upstream was sent. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export interface TestUpstream {
  /** `http://127.0.0.1:PORT`, or `https://…`. */
  readonly url: string;
  readonly received: Received[];
  /** Connections open now. */
  connections(): Promise<number>;
}

export type Answering = (request: Received, response: ServerResponse, incoming: IncomingMessage) => void;

/** A vendor made for a test: a real server on a real socket, which ends with the test. */
export const startUpstream = (answer: Answering): Promise<TestUpstream> => started(answer, createServer(), "http");

/** The same over TLS, with a certificate of the tests' own authority. */
export const startSecureUpstream = (answer: Answering): Promise<TestUpstream> =>
  started(answer, createSecureServer(certified), "https");

async function started(answer: Answering, server: Server, scheme: "http" | "https"): Promise<TestUpstream> {
  const received: Received[] = [];
  server.on("request", (incoming: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (bytes: Buffer) => pieces.push(bytes));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(pieces) };
      received.push(request);
      answer(request, response, incoming);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
  };
}

/** Answers with JSON. */
export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};
