import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from "node:http2";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";

/** What came of a request by HTTP/2. */
export interface Http2Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A client that speaks HTTP/2 and nothing else, on one connection, which ends with the test. */
export interface Http2Client {
  readonly session: ClientHttp2Session;
  /** Begins a request; a body may follow. */
  begin(path: string, headers?: Record<string, string>): ClientHttp2Stream;
  /** Asks, with POST where there is a body; rejects when the answer breaks off. */
  ask(path: string, body?: string | Buffer, headers?: Record<string, string>): Promise<Http2Answer>;
}

export async function http2To(url: string, options: { ca?: string; over?: () => Duplex } = {}): Promise<Http2Client> {
  const { over, ...tls } = options;
  const session = connect(url, { ...tls, ...(over && { createConnection: over }) });
  onTestFinished(() => session.destroy());
  session.on("error", () => undefined);
  await once(session, "connect");
  const begin = (path: string, headers: Record<string, string> = {}) =>
    session.request({ ":method": "POST", ":path": path, "content-type": "application/json", ...headers });
  return {
    session,
    begin,
    async ask(path, body, headers = {}) {
      const stream = begin(path, { ...(body === undefined && { ":method": "GET" }), ...headers });
      const answered = answerOf(stream);
      stream.end(body);
      return answered;
    },
  };
}

/** Rejects when it breaks off. */
export async function answerOf(stream: ClientHttp2Stream): Promise<Http2Answer> {
  let text = "";
  const heard = once(stream, "response") as Promise<[IncomingHttpHeaders & { ":status": number }]>;
  stream.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  const [[headers]] = await Promise.all([heard, once(stream, "end")]);
  return { status: headers[":status"], headers, text };
}
