import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";
import { testOrganisation } from "../support/management.ts";

const usage = '"usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}';
const chat = (rest: string) => `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",${rest}}`;
const text = (rest: string) => `data: {"id":"c","object":"text_completion","created":1,"model":"m",${rest}}`;

/** What vendors stream, where asked for usage and where not: the frames of the answer, and that of its usage. */
const streams: Readonly<Record<string, { readonly frames: readonly string[]; readonly usage: string }>> = {
  "/v1/chat/completions": {
    frames: [
      chat('"choices":[],"prompt_filter_results":[]'),
      chat(
        '"choices":[{"index":0,"delta":{"role":"assistant","content":"\\"prompt_tokens\\" ü"},"finish_reason":null}]',
      ),
      chat('"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]'),
    ],
    usage: chat(`"choices": [], ${usage}`),
  },
  "/v1/completions": {
    frames: [
      text('"choices":[{"index":0,"text":"Hi","finish_reason":null,"logprobs":null}]'),
      text('"choices":[{"index":0,"text":"","finish_reason":"stop","logprobs":null}]'),
    ],
    usage: text(`"choices": [], ${usage}`),
  },
};

let vendor: Server;
/** The body it was asked with last. */
let sent: string;
let recording: Recording;
/** How the vendor parts its frames, and whether it sends all of them at once. */
let manner: { readonly border: string; readonly atOnce: boolean };
let breaksOff = false;
let failures = 0;
let left = () => {};
const gone = new Promise<void>((resolve) => {
  left = resolve;
});

function answer(url: string, response: ServerResponse): void {
  const asked = JSON.parse(sent);
  const { frames, usage } = streams[url] ?? { frames: [], usage: "" };
  const told = asked.stream_options?.include_usage === true || asked.usage?.include === true ? [usage] : [];
  const all = [...frames, ...told, "data: [DONE]"].map((frame) => frame + manner.border);
  if (failures > 0) {
    failures--;
    response.writeHead(503, { "retry-after-ms": "1" });
    response.end("{}");
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (breaksOff) {
    response.on("close", left);
    response.write(all[0]);
    return;
  }
  if (!manner.atOnce) for (const frame of all.splice(0)) response.write(frame);
  response.end(all.join(""));
}

beforeAll(async () => {
  vendor = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (bytes: Buffer) => pieces.push(bytes));
    incoming.on("end", () => {
      sent = `${Buffer.concat(pieces)}`;
      answer(incoming.url ?? "", response);
    });
  });
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  recording = await startRecording(
    {},
    {
      plugins: {
        "format-openai-chat": { forceStreamUsage: true },
        "format-openai-completions": { forceStreamUsage: true },
        "stream-resume": {},
        pricing: { models: { m: { input: 1, output: 2 } } },
      },
      providers: {
        vendor: { use: "openai", apiKey: "sk-0123456789", baseUrl: `${baseUrl}/v1` },
        router: { use: "openrouter", apiKey: "sk-0123456789", baseUrl },
      },
    },
  );
});

afterAll(async () => {
  await recording.stop();
  vendor.closeAllConnections();
  vendor.close();
});

beforeEach(() => {
  manner = { border: "\n\n", atOnce: false };
  breaksOff = false;
  failures = 0;
});

const question = '"messages": [{"role": "user", "content": "Hi"}]';
const bodies = { "/v1/chat/completions": question, "/v1/completions": '"prompt": "Hi"' } as const;
type Path = keyof typeof bodies;

let traces = 0;

interface Asking {
  readonly provider?: string;
  readonly headers?: Record<string, string>;
  /** More of the routing config. */
  readonly shape?: object;
}

/** What the client got, what the vendor was sent, and what was recorded. */
async function asked(path: Path, more: string, { provider = "vendor", headers = {}, shape = {} }: Asking = {}) {
  const body = `{"model": "m", ${bodies[path]}, ${more} }`;
  const config = { provider: `@${provider}`, ...shape };
  const trace = `trace-${++traces}`;
  const { text, status } = await recording.ask(body, {
    path,
    config,
    headers: { "x-gateway-trace-id": trace, ...headers },
  });
  const [row] = await recording.trace(trace, 1);
  return { body, text, status, sent, row };
}

const streamOf = (path: string, { withUsage = false } = {}) => {
  const { frames, usage } = streams[path] ?? { frames: [], usage: "" };
  return [...frames, ...(withUsage ? [usage] : []), "data: [DONE]"].map((frame) => frame + manner.border).join("");
};

const counted = { total_units: 1100, cost: 0.12, usage_source: "provider" };

describe.each(["/v1/chat/completions", "/v1/completions"] as const)("a stream of %s whose usage is forced", (path) => {
  it.each([
    ["\n\n", false],
    ["\n\n", true],
    ["\r\n\r\n", true],
  ])("is counted, and the client sees nothing of it (%j, at once: %s)", async (border, atOnce) => {
    manner = { border, atOnce };
    const { body, text, sent, row } = await asked(path, '"stream": true, "later": 1e2');
    expect(sent).toBe(body.replace(/ }$/, ' ,"stream_options":{"include_usage":true}}'));
    expect(text).toBe(streamOf(path));
    expect(row).toMatchObject(counted);
  });

  it("is shown to a client that asked for it, whose request goes on as it is", async () => {
    const { body, text, sent, row } = await asked(path, '"stream": true, "stream_options": {"include_usage": true}');
    expect([sent, text]).toEqual([body, streamOf(path, { withUsage: true })]);
    expect(row).toMatchObject(counted);
  });

  it("keeps what else the client says of its stream", async () => {
    const options = '"stream_options": {"include_usage": false, "include_obfuscation": false}';
    const { text, sent, row } = await asked(path, `"stream": true, ${options}`);
    expect(JSON.parse(sent).stream_options).toEqual({ include_usage: true, include_obfuscation: false });
    expect(text).toBe(streamOf(path));
    expect(row).toMatchObject(counted);
  });

  it("is counted, and in no chunk of its own, where the frames are written anew", async () => {
    const { text, row } = await asked(path, '"stream": true', { shape: { stream_resume: "restart" } });
    const chunks = text
      .split("\n\n")
      .flatMap((frame) => (frame.startsWith("data: {") ? [JSON.parse(frame.slice(6))] : []));
    expect(chunks.filter(({ choices, usage }) => choices.length === 0 && usage)).toEqual([]);
    expect(row).toMatchObject(counted);
  });

  it("is asked for again by a retry, and kept from the client all the same", async () => {
    failures = 1;
    const retry = { attempts: 1, on_status_codes: [503] };
    const { text, row } = await asked(path, '"stream": true', { shape: { retry } });
    expect([failures, text]).toEqual([0, streamOf(path)]);
    expect(row).toMatchObject(counted);
  });

  it("is none where nothing is streamed", async () => {
    const { body, sent } = await asked(path, '"stream": false');
    expect(sent).toBe(body);
  });
});

it("is asked for in the words of a vendor that has its own", async () => {
  const strict = { "x-gateway-strict-params": "true" };
  const { sent, status, row } = await asked("/v1/chat/completions", '"stream": true', {
    provider: "router",
    headers: strict,
  });
  expect([status, JSON.parse(sent)]).toMatchObject([200, { usage: { include: true } }]);
  expect(row).toMatchObject(counted);
});

it("is told to clients of other formats, as ever", async () => {
  const body = { model: "m", max_tokens: 9, stream: true, messages: [{ role: "user", content: "Hi" }] };
  const { text } = await recording.ask(body, { path: "/v1/messages", config: { provider: "@vendor" } });
  expect(text).toContain('"output_tokens":100');
});

it("of a client that leaves is what was seen until then: the vendor's stream ends with it", async () => {
  breaksOff = true;
  const leaving = new AbortController();
  const { workspace, gateway } = recording;
  const principal = { id: "caller", name: "team", organisation: testOrganisation, workspace: workspace.id };
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-test-principal": JSON.stringify(principal),
      "x-gateway-provider": "@vendor",
      "x-gateway-trace-id": "leaves",
    },
    body: `{"model": "m", ${question}, "stream": true}`,
    signal: leaving.signal,
  });
  await response.body?.getReader().read();
  leaving.abort();
  await gone;
  expect(await recording.trace("leaves", 1)).toMatchObject([{ total_units: null, cost: 0 }]);
});
