import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { said } from "../faults/vendor.ts";
import { eventually } from "../support/calm.ts";
import { startFreeGateway } from "../support/gateway.ts";
import { connectTo, question, rawRequest } from "../support/raw-client.ts";
import { deferred } from "../support/raw-upstream.ts";
import { json, startUpstream } from "../support/upstream.ts";

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;
const witness = `
import { definePlugin, z } from "${surface}";
export default definePlugin({
  name: "witness",
  summary: "Says what happens to it.",
  options: z.strictObject({}),
  setup({ hooks, log, onClose }) {
    onClose(() => log.info("closed"));
    hooks.cost.tapPromise("own", async ({ ending }) => {
      await new Promise(setImmediate);
      log.info("recorded " + ending);
    });
  },
});
`;

async function start(vendor: string) {
  const folder = temporaryFolder({ "witness.ts": witness });
  return startFreeGateway(
    `
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  format-anthropic-messages: {}
  format-openai-responses: {}
  format-openai-completions: {}
  format-gemini: {}
  format-openai-files: {}
  proxy: {}
  strategy-shadow: {}
  witness: { use: ./witness.ts }
providers:
  simulator: {}
  openai: { apiKey: vendor-key, baseUrl: ${vendor}/v1 }
`,
    {},
    folder,
  );
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

describe("a shutdown", () => {
  it("says it is not ready, finishes what runs, closes plugins last, and frees the port", async () => {
    const [first = "", ...others] = said.openai.frames;
    const proceed = deferred<void>();
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(first);
      void proceed.promise.then(() => response.end(others.join("")));
    });
    const gateway = await start(upstream.url);
    const stream = await connectTo(gateway.url);
    stream.send(rawRequest(question("openai/m", { stream: true })));
    await stream.until("data: ");
    const probe = await connectTo(gateway.url);
    probe.send(get("/v1/ready"));
    await probe.until('{"status":"ready","components":[]}');
    const over = gateway.shutdown(300, 60_000);
    probe.send(get("/v1/ready"));
    const refused = await probe.until('{"status":"not ready","components":[]}');
    expect(refused).toMatch(/HTTP\/1\.1 503 Service Unavailable\r\n(?:.*\r\n)*retry-after: 5\r\n/);
    probe.send(get("/v1/health"));
    await probe.until("Server is healthy");
    // As long as it only says that it is not ready, requests are still answered, on new connections too.
    const late = await connectTo(gateway.url);
    late.send(rawRequest(question("simulator/m")));
    await late.until("Simulated answer");
    // Then connections without a request end, and no new one is let in.
    await Promise.all([probe.ended, late.ended]);
    await expect(connectTo(gateway.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    proceed.resolve();
    expect(await stream.ended).toContain("data: [DONE]");
    await over;
    expect(gateway.generation.active).toBe(0);
    expect(gateway.log.lines.map(({ message }) => message)).toEqual([
      "recorded complete",
      "recorded complete",
      "closed",
    ]);
  });

  it("waits until a client that reads slowly has all of a whole answer", async () => {
    const large = { ...said.openai.whole, padding: "x".repeat(20_000_000) };
    const upstream = await startUpstream((_, response) => json(response, 200, large));
    const gateway = await start(upstream.url);
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question("openai/m")));
    await client.until("HTTP/1.1 200");
    client.socket.pause();
    const over = gateway.shutdown(0, 60_000);
    // The last record is written: only bytes are still on their way.
    await eventually(() => expect(gateway.log.lines.map(({ message }) => message)).toContain("recorded complete"));
    client.socket.resume();
    const answer = await client.ended;
    expect(answer.length).toBeGreaterThan(20_000_000);
    expect(answer.endsWith('"}')).toBe(true);
    await over;
  });

  it("ends at its limit what still runs, and records it before plugins close", async () => {
    const gateway = await start("http://127.0.0.1:9");
    const clients = await Promise.all([1, 2, 3].map(() => connectTo(gateway.url)));
    for (const client of clients) client.send(rawRequest(question("simulator/fault-stall-after-2", { stream: true })));
    await Promise.all(clients.map((client) => client.until("data: ")));
    await gateway.shutdown(0, 50);
    for (const client of clients) {
      const answer = await client.ended;
      expect(answer).toMatch(/"error":\{[^}]*The gateway is shutting down\./);
      expect(answer).not.toContain("[DONE]");
    }
    expect(gateway.log.lines).toMatchObject([
      { level: "warn", message: "shutdown limit reached, ending what still runs", fields: { active: 3 } },
      { message: "recorded truncated" },
      { message: "recorded truncated" },
      { message: "recorded truncated" },
      { message: "closed" },
    ]);
  });

  it.each([
    ["a whole answer", {}],
    ["a stream that has not begun", { stream: true }],
  ])("refuses at its limit %s that is still waited for", async (_, more) => {
    const upstream = await startUpstream(() => undefined);
    const gateway = await start(upstream.url);
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question("openai/m", more)));
    await eventually(() => expect(upstream.received).toHaveLength(1));
    await gateway.shutdown(0, 0);
    const answer = await client.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close\r\n.*"type":"service_unavailable"/s);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(gateway.log.lines.map(({ message }) => message).slice(-2)).toEqual(["recorded error", "closed"]);
  });

  it.each([
    ["unread", "POST", "/v1/proxy/chat/completions"],
    ["piece by piece", "GET", "/v1/batches/batch_1/output"],
  ])(
    "cuts off at its limit what passes %s, and records that it was not the client who left",
    async (_, method, path) => {
      const upstream = await startUpstream(({ url }, response) => {
        if (url.endsWith("/batch_1")) return json(response, 200, { id: "batch_1", output_file_id: "file-1" });
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(said.openai.frames[0]);
      });
      const gateway = await start(upstream.url);
      const client = await connectTo(gateway.url);
      const body = method === "POST" ? question("m") : "";
      client.send(rawRequest(body, { "x-gateway-provider": "openai" }, path).replace("POST", method));
      await client.until("data: ");
      await gateway.shutdown(0, 0);
      expect(await client.ended).not.toMatch(/\r\n0\r\n\r\n$/);
      expect(gateway.log.lines.map(({ message }) => message).slice(-2)).toEqual(["recorded truncated", "closed"]);
    },
  );

  it("gives up at its limit the copy of a request, and records that it was not the client who left", async () => {
    const upstream = await startUpstream(() => undefined);
    const gateway = await start(upstream.url);
    const targets = [{ provider: "@simulator" }, { provider: "@openai" }];
    const config = JSON.stringify({ strategy: { mode: "shadow" }, targets });
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question("m"), { "x-gateway-config": config }));
    await client.until("Simulated answer");
    await eventually(() => expect(upstream.received).toHaveLength(1));
    await gateway.shutdown(0, 0);
    expect(gateway.log.lines.map(({ message }) => message).slice(-2)).toEqual(["recorded error", "closed"]);
  });

  it.each([
    ["/v1/messages", /event: error\ndata: \{"type":"error"/],
    ["/v1/responses", /event: error\ndata: /],
    ["/v1beta/models/simulator%2Ffault-stall-after-2:streamGenerateContent?alt=sse", /data: \{"error":\{/],
    ["/v1beta/models/simulator%2Ffault-stall-after-2:streamGenerateContent", /"error":\{.*\n\]\n/s],
    ["/v1/completions", /data: \{"error":\{/],
  ])("ends streams of %s at its limit in their own words", async (path, wanted) => {
    const gateway = await start("http://127.0.0.1:9");
    const client = await connectTo(gateway.url);
    const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
    const model = "simulator/fault-stall-after-2";
    const asked = path.includes("Generate")
      ? { contents }
      : { ...JSON.parse(question(model, { stream: true })), input: "Hi", prompt: "Hi" };
    client.send(rawRequest(JSON.stringify(asked), { "x-api-key": "k", connection: "close" }, path));
    await client.until(/data: \{|\[\{/);
    await gateway.shutdown(0, 0);
    expect(await client.ended).toMatch(wanted);
  });

  it("tells clients of the answers it still gives that their connections end", async () => {
    const gateway = await start("http://127.0.0.1:9");
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question("simulator/fault-slow-100")));
    await eventually(() => expect(gateway.generation.active).toBe(1));
    const over = gateway.shutdown(0, 60_000);
    const answer = await client.ended;
    expect(answer).toContain("Simulated answer");
    await over;
  });

  it("is told in the words of the gateway to what comes behind it", async () => {
    const gateway = await start("http://127.0.0.1:9");
    await gateway.generation.close();
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question("simulator/m")));
    expect(await client.ended).toMatch(
      /^HTTP\/1\.1 503 [\s\S]*"status":"failure","message":"The gateway is shutting down\./,
    );
    await gateway.shutdown(0, 0);
  });

  it("is one shutdown, however often it is asked for", async () => {
    const gateway = await start("http://127.0.0.1:9");
    await Promise.all([gateway.shutdown(0, 0), gateway.shutdown(0, 0), gateway.shutdown()]);
    expect(gateway.log.lines.map(({ message }) => message)).toEqual(["closed"]);
    expect(await gateway.reload()).toBe(false);
  });
});
