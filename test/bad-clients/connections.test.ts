import { describe, expect, it } from "vitest";
import { restOf } from "../support/calm.ts";
import { connectTo, question, rawRequest } from "../support/raw-client.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";
import { startUpstream } from "../support/upstream.ts";
import { startGateway } from "./deployment.ts";

const statuses = (answers: string): string[] => answers.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9)) ?? [];
const stream = (model: string, text = "Hello there") =>
  rawRequest(question(model, { stream: true, messages: [{ role: "user", content: text }] }));

describe("something else than HTTP", () => {
  it.each([
    ["a TLS greeting", Buffer.from("16030100c8010000c403031f", "hex")],
    ["a line of chat", "HELO mail.example\r\n\r\n"],
    ["zeros", Buffer.alloc(4096)],
    ["a header without a name", "GET / HTTP/1.1\r\nhost: x\r\n: x\r\n\r\n"],
    ["no host", "GET / HTTP/1.1\r\n\r\n"],
    ["two lengths", "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    [
      "a length and chunks",
      "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a chunk of no size", "POST /v1/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
  ])("is answered with 400, and the connection ends: %s", async (_, bytes) => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(bytes);
    const answer = await client.ended;
    // Of a request that had begun nothing is answered any more: nobody can tell what it would have been.
    if (answer !== "") {
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).toContain('"status":"failure"');
    }
    await rest();
  });

  it("behind a request that is being answered ends the connection and never gets into the answer", async () => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(stream("simulator/fault-stall-after-2"));
    await client.until("data: ");
    client.send("nonsense\r\n\r\n");
    const answer = await client.ended;
    expect(statuses(answer)).toEqual(["200"]);
    expect(answer).not.toContain("failure");
    await rest();
  });
});

describe("requests sent without waiting for answers", () => {
  it("are answered in their order", async () => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(
      stream("simulator/fault-slow-first-token-30", "first") +
        rawRequest(question("simulator/second")) +
        rawRequest("nonsense") +
        stream("simulator/fourth"),
    );
    const answers = await client.until(/(?:data: \[DONE\].*){2}/s);
    expect(statuses(answers)).toEqual(["200", "200", "400", "200"]);
    expect(answers.search("first")).toBeLessThan(answers.search("second"));
    client.reset();
    await rest();
  });

  it("are answered as far as the one that says it is the last, whatever comes behind it", async () => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    const last = rawRequest(question("simulator/fault-slow-first-token-30"), { connection: "close" });
    client.send(`${last}${stream("simulator/beyond")}nonsense\r\n\r\n`);
    const answer = await client.ended;
    expect([statuses(answer), answer]).toEqual([["200"], expect.stringContaining("Simulated answer")]);
    await rest();
  });

  it("are all given up when the client leaves", async () => {
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
      response.write('data: {"id":"c","choices":[{"index":0,"delta":{"content":"He"}}]}\n\n');
    });
    const gateway = await startGateway("{}", upstream.url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(stream("openai/a") + stream("openai/b") + stream("openai/c"));
    await client.until("He");
    await expect.poll(() => upstream.received.length).toBe(3);
    client.reset();
    await rest();
    expect(await upstream.connections()).toBe(0);
  });
});

describe("a client that has said all it has to say, and only listens", () => {
  const whole = (model: string) => rawRequest(question(model));
  it.each([
    ["a whole answer", whole("simulator/x"), "Simulated answer"],
    ["an answer that takes time", whole("simulator/fault-slow-100"), "Simulated answer"],
    ["a stream", stream("simulator/x"), "data: [DONE]"],
    ["a stream that takes time", stream("simulator/fault-slow-first-token-100"), "data: [DONE]"],
    ["an error", whole("simulator/fault-status-429"), "429"],
  ])("gets %s", async (_, request, wanted) => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.socket.end(request);
    const answer = await client.ended;
    expect(answer).toContain(wanted);
    await rest();
  });

  it("gets the rest of a stream when it stops sending in the middle of it", async () => {
    let proceed: () => void = () => undefined;
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
      response.write('data: {"id":"c","choices":[{"index":0,"delta":{"content":"He"}}]}\n\n');
      proceed = () =>
        response.end(
          'data: {"id":"c","choices":[{"index":0,"delta":{"content":"llo"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        );
    });
    const gateway = await startGateway("{}", upstream.url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(stream("openai/x"));
    await client.until("He");
    client.socket.end();
    // The gateway finds out who is still there by sending a comment: the stream goes on after several.
    await client.until(/(?:: keep-alive.*){3}/s);
    proceed();
    expect(await client.ended).toContain("data: [DONE]");
    await rest();
  });

  it("is let go after its answer", async () => {
    const gateway = await startGateway();
    const client = await connectTo(gateway.url);
    client.socket.end("GET /v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n");
    expect(await client.ended).toContain('"success"');
  });
});

describe("an answer that breaks off", () => {
  it.each(["1.0", "1.1"])("is never taken for a whole one by a client of HTTP/%s", async (version) => {
    const vendor = await startRawUpstream((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("half an answer", () => response.destroy());
    });
    const gateway = await startGateway("{}", vendor);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    let cut: Error | undefined;
    client.socket.once("error", (error) => {
      cut = error;
    });
    client.send(`GET /v1/proxy/x HTTP/${version}\r\nhost: localhost\r\nx-gateway-provider: @openai\r\n\r\n`);
    expect(await client.ended).not.toContain("\r\n0\r\n\r\n");
    if (version === "1.0") expect(cut).toMatchObject({ code: "ECONNRESET" });
    await rest();
  });
});

describe("many connections", () => {
  const healthy = (gateway: { url: string }, connection: string) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", connection },
      body: question("simulator/x"),
    }).then(async (response) => ({ status: response.status, body: await response.text() }));

  it("one after the other, a thousand of them, leave nothing behind", async () => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    for (let count = 0; count < 1000; count++) expect((await healthy(gateway, "close")).status).toBe(200);
    await rest();
  });

  it("at the same time, two hundred of them, are all answered", async () => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const clients = await Promise.all(Array.from({ length: 200 }, () => connectTo(gateway.url)));
    for (const client of clients) client.send(stream("simulator/x"));
    const answers = await Promise.all(clients.map((client) => client.until("data: [DONE]")));
    expect(new Set(answers.map((answer) => statuses(answer).join()))).toEqual(new Set(["200"]));
    for (const client of clients) client.reset();
    await rest();
  });

  it("that say nothing end when their time is over", async () => {
    const gateway = await startGateway("{ clocks: { body: 150 }, keepAliveTimeout: 150 }");
    const rest = await restOf(gateway);
    const clients = await Promise.all(Array.from({ length: 20 }, () => connectTo(gateway.url)));
    await Promise.all(clients.map((client) => client.ended));
    for (const client of clients) client.reset();
    await rest();
  });
});
