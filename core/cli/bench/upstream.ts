import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answers, answers } from "./answers.ts";
import type { BenchFormat } from "./formats.ts";
import { reportUsage } from "./usage.ts";

/** A vendor that costs next to nothing: answers are made once, in the format of the path. */

const chunks = 100;

/** Where each format is served; the first that fits. */
const places: readonly (readonly [RegExp, BenchFormat])[] = [
  [/\/chat\/completions$/, "chat"],
  [/\/responses$/, "responses"],
  [/\/messages$/, "messages"],
  [/enerateContent(?:\?|$)/, "gemini"],
  [/\/chat$/, "cohere"],
  [/\/converse(?:-stream)?$/, "converse"],
];

/** Of every path that was asked for. */
const known = new Map<string, Answers>();

function answersAt(path: string): Answers {
  const before = known.get(path);
  if (before) return before;
  const [, format = "chat"] = places.find(([place]) => place.test(path)) ?? [];
  known.set(path, answers[format]);
  return answers[format];
}

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

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  const { url = "" } = request;
  let streams = url.includes("tream");
  request.on("data", (bytes: Buffer) => {
    streams ||= bytes.includes('"stream":true');
  });
  request.on("end", () => {
    const found = answersAt(url);
    if (streams) return stream(response, found);
    response.writeHead(200, { "content-type": "application/json", "content-length": found.whole.length });
    response.end(found.whole);
  });
});
server.keepAliveTimeout = 60_000;
reportUsage();
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
