import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { reportUsage } from "./usage.ts";

/** A vendor that costs next to nothing: answers are made once. Chat at any path; a stream when the body asks for one. */

const chunks = 100;

const wholeAnswer = Buffer.from(
  JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion",
    created: 1_767_225_600,
    model: "bench",
    choices: [
      { index: 0, message: { role: "assistant", content: "All work and no play. ".repeat(30) }, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 150, total_tokens: 250 },
  }),
);

const frame = (delta: object, finish: string | null) =>
  Buffer.from(
    `data: ${JSON.stringify({
      id: "chatcmpl-bench",
      object: "chat.completion.chunk",
      created: 1_767_225_600,
      model: "bench",
      choices: [{ index: 0, delta, finish_reason: finish }],
    })}\n\n`,
  );
const first = frame({ role: "assistant", content: "" }, null);
const middle = frame({ content: " word" }, null);
const last = Buffer.concat([frame({}, "stop"), Buffer.from("data: [DONE]\n\n")]);

function stream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
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
  let streams = false;
  request.on("data", (bytes: Buffer) => {
    streams ||= bytes.includes('"stream":true');
  });
  request.on("end", () => {
    if (streams) return stream(response);
    response.writeHead(200, { "content-type": "application/json", "content-length": wholeAnswer.length });
    response.end(wholeAnswer);
  });
});
server.keepAliveTimeout = 60_000;
reportUsage();
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
