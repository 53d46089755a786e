import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
const message = { role: "assistant", content: "Four words of tea." };
const whole = { id: "c", object: "chat.completion", created: 1, model: "m" };
const choices = [{ index: 0, message, finish_reason: "stop" }];
const frame = (fields: object) =>
  `data: ${JSON.stringify({ ...whole, object: "chat.completion.chunk", choices: [], ...fields })}\n\n`;
const says = (delta: object, finish_reason: string | null = null) =>
  frame({ choices: [{ index: 0, delta, finish_reason }] });

/** What a vendor does, by the model it is asked for: what tells of its usage has used 1000 tokens for 100. */
const behaviour: Readonly<Record<string, (response: ServerResponse) => void>> = {
  tells: (response) => response.end(JSON.stringify({ ...whole, choices, usage })),
  searches: (response) =>
    response.end(JSON.stringify({ ...whole, choices, usage: { ...usage, num_search_queries: 2 } })),
  keeps: (response) => response.end(JSON.stringify({ ...whole, choices })),
  fails(response) {
    response.statusCode = 503;
    response.end(JSON.stringify({ error: { message: "No." } }));
  },
  "fails-with-usage"(response) {
    response.statusCode = 503;
    response.setHeader("retry-after-ms", "1");
    response.end(JSON.stringify({ error: { message: "No." }, usage }));
  },
  streams(response) {
    response.setHeader("content-type", "text/event-stream");
    response.write(says({ role: "assistant", content: "Four words of tea." }) + says({}, "stop"));
    response.end(`${frame({ usage })}data: [DONE]\n\n`);
  },
  "streams-silently"(response) {
    response.setHeader("content-type", "text/event-stream");
    response.end(`${says({ role: "assistant", content: "Four words of tea." })}${says({}, "stop")}data: [DONE]\n\n`);
  },
  "streams-word-by-word"(response) {
    response.setHeader("content-type", "text/event-stream");
    const words = ["Four", " words of", " tea."].map((content) => says({ content }));
    response.end(`${words.join("")}${says({}, "stop")}data: [DONE]\n\n`);
  },
  "streams-usage-first"(response) {
    response.setHeader("content-type", "text/event-stream");
    response.end(`${frame({ usage })}${says({ content: "Four words of tea." })}${says({}, "stop")}data: [DONE]\n\n`);
  },
  cuts(response) {
    response.setHeader("content-type", "text/event-stream");
    response.write(says({ role: "assistant", content: "Four" }), () => response.destroy());
  },
  "cuts-with-usage"(response) {
    response.setHeader("content-type", "text/event-stream");
    response.write(says({ role: "assistant", content: "Four" }) + frame({ usage }), () => response.destroy());
  },
  "cuts-at-once"(response) {
    response.setHeader("content-type", "text/event-stream");
    response.write(says({ role: "assistant", content: "" }), () => response.destroy());
  },
  "cuts-after-the-first-token-told"(response) {
    response.setHeader("content-type", "text/event-stream");
    const first = { prompt_tokens: 1000, completion_tokens: 1, total_tokens: 1001 };
    response.write(frame({ usage: first }) + says({ content: "Four words of tea." }), () => response.destroy());
  },
  "cuts-when-finished"(response) {
    response.setHeader("content-type", "text/event-stream");
    const all = says({ content: "Four" }) + says({}, "stop") + frame({ usage });
    response.write(all, () => response.destroy());
  },
  "fails-inside"(response) {
    response.setHeader("content-type", "text/event-stream");
    response.end(`${says({ content: "Four" })}data: {"error":{"message":"No.","type":"server_error"}}\n\n`);
  },
  "begins-and-hangs"(response) {
    response.setHeader("content-type", "text/event-stream");
    response.write(says({ role: "assistant", content: "Four" }));
  },
  hangs: () => undefined,
};

/** A vendor that does what the name of the model says, up to a colon; what is behind that tells requests apart. */
export async function startTellingVendor(): Promise<{ readonly baseUrl: string; readonly stop: () => void }> {
  const vendor = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (bytes: Buffer) => pieces.push(bytes));
    incoming.on("end", () => {
      const { model } = JSON.parse(Buffer.concat(pieces).toString());
      response.setHeader("content-type", "application/json");
      behaviour[model.split(":")[0]]?.(response);
    });
  });
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
    stop() {
      vendor.closeAllConnections();
      vendor.close();
    },
  };
}
