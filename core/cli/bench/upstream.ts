import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answers, answers } from "./answers.ts";
import { benchFormats, clients, saysInPath } from "./formats.ts";

/** A vendor that costs next to nothing: answers are made once, in the format of the path. */
export interface Upstream {
  readonly port: number;
  stop(): void;
}

const chunks = 100;

/** Vendors are asked at the path of their own clients, or at the end of it. */
const served = benchFormats.flatMap((format) =>
  [false, true].map((streams) => ({
    path: clients[format].path(streams),
    streams: streams && saysInPath(format),
    answers: answers[format],
  })),
);

function stream(response: ServerResponse, { contentType, first, middle, last }: Answers): void {
  response.writeHead(200, { "content-type": contentType });
  response.write(first);
  let sent = 0;
  // One frame per turn of the event loop, so that frames arrive one by one, as a model writes them.
  const next = () => {
    if (response.destroyed) return;
    if (sent++ === chunks) response.end(last);
    else {
      response.write(middle);
      setImmediate(next);
    }
  };
  setImmediate(next);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { url = "" } = request;
  const found = served.find(({ path }) => path.endsWith(url));
  let streams = found?.streams;
  request.on("data", (bytes: Buffer) => {
    streams ||= bytes.includes('"stream":true');
  });
  request.on("end", () => {
    if (!found) return response.writeHead(404).end();
    if (streams) return stream(response, found.answers);
    const { whole } = found.answers;
    response.writeHead(200, { "content-type": "application/json", "content-length": whole.length });
    response.end(whole);
  });
}

/** It is part of the process that asks, which is never asleep while it does (`load`). */
export async function startUpstream(): Promise<Upstream> {
  const server = createServer(answer);
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
