import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { restOf } from "../support/calm.ts";
import { connectTo, question, rawRequest } from "../support/raw-client.ts";
import { startUpstream } from "../support/upstream.ts";
import { startGateway } from "./deployment.ts";

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const bodyOf = (answer: string): Record<string, unknown> => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
const wholeAnswer = /\r\n\r\n\{.*\}$/s;

const chunked = { "transfer-encoding": "chunked" };
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

it.each(["/v1/chat/completions", "/v1/messages", "/v1/proxy/anything", "/v1/admin/workspaces"])(
  "a packed body is refused with what to do about it (%s)",
  async (path) => {
    const folder = temporaryFolder({});
    const store = `  records-file: { path: "${folder}/records.db" }\n  management: {}\n  organisations: {}\n  api-keys: {}\n`;
    const gateway = await startGateway("{}", undefined, store);
    const client = await connectTo(gateway.url);
    client.send(rawRequest("never looked at", { "content-encoding": "gzip" }, path));
    const answer = await client.until(wholeAnswer);
    expect(statusOf(answer)).toBe(400);
    expect(bodyOf(answer)).toMatchObject({
      error: { message: expect.stringMatching(/content-encoding: gzip.*send it as it is/), param: "content-encoding" },
    });
  },
);

describe("a byte order mark in front of a body", () => {
  const mark = "\ufeff";
  const marked = (model: string) => mark + question(model, { stream: false, max_tokens: 9 });
  const asked = async (url: string, body: string, path: string, headers = {}) => {
    const client = await connectTo(url);
    client.send(rawRequest(body, headers, path));
    const answer = await client.until(wholeAnswer);
    client.reset();
    return answer;
  };

  it.each(["/v1/chat/completions", "/v1/messages"])("is read over (%s)", async (path) => {
    const { url } = await startGateway();
    expect(await asked(url, marked("simulator/x"), path)).toContain("Simulated answer");
    expect(await asked(url, marked("claude-like/x"), path, { "x-gateway-provider": "@claude-like" })).toContain(
      "Simulated answer",
    );
    expect(await asked(url, mark, path)).toContain("The body is empty");
  });

  it("goes to a vendor in raw calls only, which are sent as they came", async () => {
    const vendor = await startUpstream((_, response) => response.end("{}"));
    const { url } = await startGateway("{}", vendor.url);
    for (const path of ["/v1/chat/completions", "/v1/proxy/chat/completions"])
      await asked(url, marked("gpt-x"), path, { "x-gateway-provider": "@openai" });
    expect(vendor.received.map(({ body }) => body.toString())).toEqual([marked("gpt-x").slice(1), marked("gpt-x")]);
  });
});

describe.each(["/v1/chat/completions", "/v1/messages"])("a body of %s", (path) => {
  it.each([
    ["cut short", '{"model": "simulator/x", "messages": [', /not valid JSON/],
    ["no JSON at all", "model=simulator/x", /not valid JSON/],
    ["empty", "", /empty/],
    ["null", "null", /must be a JSON object/],
    ["a list", '[{"model":"simulator/x"}]', /must be a JSON object/],
    ["a text", '"simulator/x"', /must be a JSON object/],
    ["a number", "42", /must be a JSON object/],
    ["two objects", "{}{}", /not valid JSON/],
    ["no JSON where the model stands", '{"model":{no}}', /not valid JSON/],
    ["a model with an escape that is none", '{"model":"\\x"}', /not valid JSON/],
    ["an object whose model is none", '{"model":7}', /model must be a string/],
    ["deeper than anyone would write", `{"model":"simulator/x","a":${"[".repeat(50_000)}`, /not valid JSON/],
  ])("that is %s is refused, and the connection goes on", async (_, body, message) => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(rawRequest(body, {}, path));
    const answer = await client.until(wholeAnswer);
    expect(statusOf(answer)).toBe(400);
    expect(bodyOf(answer)).toMatchObject({
      status: "failure",
      message: expect.stringMatching(message),
      error: { message: expect.stringMatching(message), type: "invalid_request_error" },
    });
    client.send(rawRequest(question("simulator/x", { stream: false })));
    await client.until('"chat.completion"');
    client.socket.end();
    await client.ended;
    await rest();
  });

  it.each([
    "text/plain",
    "text/html; charset=utf-8",
    "application/xml",
    "nonsense",
    "application/x-www-form-urlencoded",
  ])("of type %s is refused unread", async (type) => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question("simulator/x"), { "content-type": type }, path));
    const answer = await client.until(wholeAnswer);
    expect(statusOf(answer)).toBe(400);
    expect(bodyOf(answer)).toMatchObject({ status: "failure", message: expect.stringContaining(type) });
    client.socket.end();
    await client.ended;
    await rest();
  });

  it("without a content type is read as JSON", async () => {
    const gateway = await startGateway();
    const client = await connectTo(gateway.url);
    const body = question("simulator/x");
    client.send(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    expect(statusOf(await client.until("Simulated answer"))).toBe(200);
    client.reset();
  });
});

it.each([["a\nb"], "a\u20ac"])("a field that goes on as a header has to fit into one: %j", async (anthropic_beta) => {
  const gateway = await startGateway();
  const client = await connectTo(gateway.url);
  client.send(rawRequest(question("anthropic/x", { anthropic_beta }), {}, "/v1/messages"));
  const answer = await client.until(wholeAnswer);
  expect(statusOf(answer)).toBe(400);
  expect(bodyOf(answer)).toMatchObject({
    error: { message: expect.stringMatching(/^anthropic_beta goes .* no header can hold/), param: "anthropic_beta" },
  });
  client.reset();
});

const small = "{ limits: { jsonBodyBytes: 2000 }, clocks: { body: 300 } }";

describe("a body that is too large", () => {
  it("is refused as soon as it says so, before it is sent, and cut off if it is sent for ever", async () => {
    const gateway = await startGateway(small);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(rawRequest("", { "content-length": "20000000" }));
    const answer = await client.until(wholeAnswer);
    expect(statusOf(answer)).toBe(413);
    expect(bodyOf(answer)).toMatchObject({
      status: "failure",
      message: "The body is larger than 2000 bytes (server.limits.jsonBodyBytes).",
    });
    await client.ended;
    await rest();
  });

  it("is refused before it is sent when the client waits to be asked for it", async () => {
    const gateway = await startGateway(small);
    const client = await connectTo(gateway.url);
    client.send(rawRequest("", { "content-length": "20000000", expect: "100-continue" }));
    expect(statusOf(await client.until(wholeAnswer))).toBe(413);
    client.reset();
  });

  const large = `{"a":"${"x".repeat(20_000_000)}"}`;
  it.each([
    ["announced", rawRequest(large)],
    ["in chunks", rawRequest("", chunked) + chunk(large) + chunk("")],
  ])("may be sent to its end before its client listens, and the connection goes on (%s)", async (_, request) => {
    const gateway = await startGateway("{ limits: { jsonBodyBytes: 2000 } }");
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    await new Promise((sent) => client.socket.write(request, sent));
    expect(statusOf(await client.until(wholeAnswer))).toBe(413);
    client.send(rawRequest(question("simulator/x")));
    await client.until('"chat.completion"');
    client.socket.end();
    await client.ended;
    await rest();
  });

  it("is refused when it turns out to be, where it comes in chunks", async () => {
    const gateway = await startGateway(small);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(rawRequest("", chunked));
    client.send(chunk('{"model":"'));
    client.send(chunk("x".repeat(3000)));
    const answer = await client.until(wholeAnswer);
    expect(statusOf(answer)).toBe(413);
    await client.ended;
    await rest();
  });

  it("is counted in bytes that are there, and one of exactly the limit is read", async () => {
    const gateway = await startGateway(small);
    const client = await connectTo(gateway.url);
    const body = question("simulator/x");
    const padded = `${body.slice(0, -1)}${" ".repeat(2000 - body.length)}}`;
    client.send(rawRequest("", chunked));
    client.send(chunk(padded.slice(0, 1000)) + chunk(padded.slice(1000)) + chunk(""));
    expect(statusOf(await client.until("Simulated answer"))).toBe(200);
    client.reset();
  });
});

describe("a body that comes too slowly", () => {
  it.each([
    ["announced", { "content-length": "500" }, '{"model":'],
    ["in chunks", chunked, chunk('{"model":')],
  ])("is given up (%s)", async (_, headers, first) => {
    const gateway = await startGateway("{ clocks: { body: 200 } }");
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(rawRequest("", headers) + first);
    const answer = await client.until(wholeAnswer);
    expect(statusOf(answer)).toBe(408);
    expect(bodyOf(answer)).toMatchObject({ message: "The body did not arrive within 200 ms." });
    await client.ended;
    await rest();
  });

  it("is answered when it arrives in time, however small its pieces", async () => {
    const gateway = await startGateway();
    const client = await connectTo(gateway.url);
    for (const character of rawRequest(question("simulator/x"))) client.send(character);
    expect(statusOf(await client.until("Simulated answer"))).toBe(200);
    client.reset();
  });
});

describe("headers", () => {
  it.each([
    ["one header of 20 kB", (client: string) => `x-big: ${client.repeat(20_000)}\r\n`],
    ["ten thousand headers", () => Array.from({ length: 10_000 }, (_, at) => `x-${at}: y\r\n`).join("")],
  ])("that are too large are refused: %s", async (_, flood) => {
    const gateway = await startGateway("{ limits: { headerBytes: 16000 } }");
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(`POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n${flood("y")}\r\n`);
    const answer = await client.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(bodyOf(answer)).toMatchObject({ status: "failure", message: expect.stringContaining("headerBytes") });
    await rest();
  });

  it("that expect something nobody knows are answered all the same", async () => {
    const gateway = await startGateway();
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question("simulator/x"), { expect: "something" }));
    expect(statusOf(await client.until(wholeAnswer))).toBe(200);
    client.reset();
  });

  it("that never end are given up", async () => {
    const gateway = await startGateway("{ clocks: { body: 100 } }");
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send("POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nx-slow: ");
    const answer = await client.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    await rest();
  });
});
