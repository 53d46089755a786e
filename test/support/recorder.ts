import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";

/** One call, as it went over the wire between the gateway and a vendor. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  status: number;
  answerHeaders: IncomingHttpHeaders;
  /** What the vendor answered, as far as it came. */
  answer: Buffer;
}

export interface Recorder {
  readonly url: string;
  readonly calls: Recorded[];
  /** The last call, which there must have been. */
  last(): Recorded;
  close(): void;
}

/** Stands before a vendor and writes down every byte in both directions, without touching one. */
export async function startRecorder(vendor: string): Promise<Recorder> {
  const calls: Recorded[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (bytes: Buffer) => pieces.push(bytes));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      const body = Buffer.concat(pieces);
      const call: Recorded = {
        method,
        path: url,
        headers,
        body,
        status: 0,
        answerHeaders: {},
        answer: Buffer.alloc(0),
      };
      calls.push(call);
      const forwarded = { ...headers };
      delete forwarded.host;
      const onward = request(vendor + url, { method, headers: forwarded }, (answer) => {
        call.status = answer.statusCode ?? 0;
        call.answerHeaders = answer.headers;
        response.writeHead(call.status, answer.headers);
        answer.on("data", (bytes: Buffer) => {
          call.answer = Buffer.concat([call.answer, bytes]);
          response.write(bytes);
        });
        answer.on("end", () => response.end());
        answer.on("error", () => response.destroy());
      });
      onward.on("error", () => response.destroy());
      response.on("close", () => onward.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    last() {
      const call = calls.at(-1);
      if (!call) throw new Error("the vendor was not called");
      return call;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
