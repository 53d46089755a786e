import { GoogleGenAI } from "@google/genai";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";

const plainFetch = globalThis.fetch;
const frame = (wire: object) => `data: ${JSON.stringify(wire)}\n\n`;
const gemini = (text: string, more: object = {}) =>
  frame({ candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0, ...more }], modelVersion: "m" });
const chunk = (delta: object, finish: string | null = null) =>
  frame({
    id: "c",
    object: "chat.completion.chunk",
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

/** What vendors say before and after a silence. */
const vendors = {
  google: [gemini("Hel"), gemini("lo", { finishReason: "STOP" })],
  openai: [chunk({ role: "assistant", content: "Hel" }), `${chunk({ content: "lo" }, "stop")}data: [DONE]\n\n`],
} as const;

/** A gateway whose vendor is silent before and amid its answer, each time until what the client got since `isSign`. */
async function startSilent(vendor: keyof typeof vendors, isSign: RegExp) {
  let proceed: (() => void)[] = [];
  const url = await startRawUpstream((incoming, response) => {
    incoming.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      const [first, last] = vendors[vendor];
      proceed = [() => response.write(first), () => response.end(last)];
    });
  });
  const gateway = await startTestGateway(`
server: { keepAliveComments: 10 }
plugins: { auth-open: {}, routing: { default: ${vendor} }, format-gemini: {}, format-openai-chat: {} }
providers:
  ${vendor}: { apiKey: k, baseUrl: "${url}" }
`);
  let seen = "";
  const reading = async (...call: Parameters<typeof fetch>): Promise<Response> => {
    const response = await plainFetch(...call);
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        seen += Buffer.from(bytes).toString();
        controller.enqueue(bytes);
        if (isSign.test(seen)) {
          seen = "";
          proceed.shift()?.();
        }
      },
    });
    return new Response(response.body?.pipeThrough(watch), response);
  };
  return { url: gateway.url, reading };
}

/** A reader that knows frames of data only, as that of the SDK before `@google/genai` does. */
function framesIn(text: string): unknown[] {
  const frames: unknown[] = [];
  let rest = text;
  for (let found = /^data: (.*)\n\n/.exec(rest); found; found = /^data: (.*)\n\n/.exec(rest)) {
    frames.push(JSON.parse(found[1] ?? ""));
    rest = rest.slice(found[0].length);
  }
  expect(rest.trim()).toBe("");
  return frames;
}

const empty = /(?:"text":"".*\n\n.*){2}$/s;
const body = JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Hi" }] }] });
const asked = { method: "POST", headers: { "content-type": "application/json" }, body };

describe.each(["google", "openai"] as const)("silences of a stream from %s", (vendor) => {
  it("are answers without text to a client of Gemini's API, before the first frame and amid frames", async () => {
    const { url, reading } = await startSilent(vendor, empty);
    const response = await reading(`${url}/v1beta/models/m:streamGenerateContent?alt=sse`, asked);
    const texts = framesIn(await response.text()).map(
      (one) =>
        (one as { candidates: { content: { parts: { text: string }[] } }[] }).candidates[0]?.content.parts[0]?.text,
    );
    expect(texts.filter((text) => text === "").length).toBeGreaterThanOrEqual(4);
    expect(texts.filter((text) => text !== "").join("")).toBe("Hello");
  });

  it("leave the history of a chat of @google/genai as it was", async () => {
    const { url, reading } = await startSilent(vendor, empty);
    vi.stubGlobal("fetch", reading);
    onTestFinished(() => void vi.unstubAllGlobals());
    const chat = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: url } }).chats.create({ model: "m" });
    let text = "";
    for await (const piece of await chat.sendMessageStream({ message: "Hi" })) text += piece.text ?? "";
    expect(text).toBe("Hello");
    const said = chat.getHistory(true).flatMap(({ role, parts }) => (role === "model" ? (parts ?? []) : []));
    expect(said.map((part) => part.text).join("")).toBe("Hello");
  });

  it("are blank lines in a list", async () => {
    const { url, reading } = await startSilent(vendor, /\n\n+$/);
    const response = await reading(`${url}/v1beta/models/m:streamGenerateContent`, asked);
    const text = await response.text();
    expect(text).not.toContain('"text":""}],"role":"model"},"index":0}]}');
    expect(JSON.stringify(JSON.parse(text))).toMatch(/"Hel".*"lo"/);
  });
});
