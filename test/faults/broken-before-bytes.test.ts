import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";

type Answer = (response: ServerResponse) => void;

const breakingOff =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "audio/mpeg", ...headers });
    response.flushHeaders();
    // The head is sent by itself: it has arrived when the connection breaks off.
    response.write("", () => setImmediate(() => response.destroy()));
  };

const saying =
  (name: string): Answer =>
  (response) =>
    response.writeHead(200, { "content-type": "audio/mpeg" }).end(`sound of ${name}`);

/** A gateway before two vendors that answer a call each as they are told, the last way for good. */
async function start(alpha: readonly Answer[], server: object = {}) {
  const ways = [...alpha];
  const asked: string[] = [];
  const url = await startRawUpstream((incoming, response) => {
    const name = incoming.url?.split("/")[1] ?? "";
    asked.push(name);
    incoming.resume().on("end", () => {
      if (name === "beta") return saying("beta")(response);
      ((ways.length > 1 ? ways.shift() : ways[0]) as Answer)(response);
    });
  });
  const provider = (slug: string) => ({ use: "openai", apiKey: `${slug}-key-0123`, baseUrl: `${url}/${slug}` });
  const gateway = await startTestGateway(
    JSON.stringify({
      server,
      plugins: {
        "auth-open": {},
        routing: {},
        retry: {},
        proxy: {},
        "strategy-fallback": {},
        "format-openai-chat": {},
        "format-openai-audio": {},
        "format-openai-files": {},
        "access-log": {},
      },
      providers: { alpha: provider("alpha"), beta: provider("beta") },
    }),
  );
  const ask = async ([method, path, body]: Question, config: object, more: Record<string, string> = {}) => {
    const headers = {
      "content-type": "application/json",
      "x-gateway-provider": "",
      "x-gateway-config": JSON.stringify(config),
      ...more,
    };
    const answered = await call(`${gateway.url}${path}`, { method, headers }, body && JSON.stringify(body));
    return { status: answered.status, headers: answered.headers, text: answered.body.toString() };
  };
  const records = () => gateway.log.lines.filter(({ message }) => message === "request").map(({ fields }) => fields);
  return { ask, asked, records };
}

type Question = readonly [method: string, path: string, body?: object | undefined];

const questions: [...Question][] = [
  ["POST", "/v1/audio/speech", { model: "m", input: "Hi", voice: "alloy" }],
  ["POST", "/v1/proxy/some/where", { model: "m" }],
  ["GET", "/v1/proxy/some/where"],
  ["GET", "/v1/files/file-1/content"],
];
const alone = { provider: "@alpha" };
const both = { strategy: { mode: "fallback" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };

it.each(questions)("%s %s that breaks off behind its head is a failure with a status", async (method, path, body) => {
  const { ask, records } = await start([breakingOff(200)]);
  const { status, text } = await ask([method, path, body], alone);
  expect([status, JSON.parse(text)]).toMatchObject([500, { error: { message: expect.stringContaining("alpha") } }]);
  expect(records()).toMatchObject([{ status: 500 }]);
});

it.each(questions)("%s %s goes to the next target then", async (method, path, body) => {
  const { ask, asked } = await start([breakingOff(200, { "content-length": "9" })]);
  expect(await ask([method, path, body], both)).toMatchObject({ status: 200, text: "sound of beta" });
  expect(asked).toEqual(["alpha", "beta"]);
});

it.each(questions.slice(1, 2))("%s %s is asked again where the config says so", async (method, path, body) => {
  const { ask, asked } = await start([breakingOff(200), saying("alpha")]);
  const again = { ...alone, retry: { attempts: 1, on_status_codes: [500] } };
  expect(await ask([method, path, body], again)).toMatchObject({ status: 200, text: "sound of alpha" });
  expect(asked).toEqual(["alpha", "alpha"]);
});

it("is a failure where it is packed and ends before anything can be unpacked", async () => {
  const { ask } = await start([breakingOff(200, { "content-encoding": "gzip" })]);
  expect(await ask(questions[0] as Question, alone)).toMatchObject({ status: 500 });
});

it.each(questions.slice(1))("the refusal of %s %s keeps its status without its words", async (method, path, body) => {
  const { ask, asked } = await start([breakingOff(429, { "content-length": "9", "retry-after": "7" })]);
  const { status, headers, text } = await ask([method, path, body], alone);
  expect([status, headers["retry-after"]]).toEqual([429, "7"]);
  expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining("alpha") } });
  expect(await ask([method, path, body], both)).toMatchObject({ status: 200, text: "sound of beta" });
  expect(asked).toEqual(["alpha", "alpha", "beta"]);
});

it.each([
  ["none", 204, {}],
  ["nothing new", 304, { etag: '"1"' }],
  ["an empty body of a known length", 200, { "content-length": "0" }],
  ["an empty body in chunks", 200, {}],
])("an answer with %s is whole", async (_, code, headers) => {
  const { ask } = await start([(response) => void response.writeHead(code, headers).end()]);
  for (const question of questions.slice(1)) {
    const { status, text } = await ask(question, alone);
    expect([status, text]).toEqual([code, ""]);
  }
});

it("a head that was asked for by itself is whole", async () => {
  const { ask } = await start([(response) => void response.writeHead(200, { "content-length": "9" }).end()]);
  const { status, headers } = await ask(["HEAD", "/v1/proxy/some/where"], alone);
  expect([status, headers["content-length"]]).toEqual([200, "9"]);
});

it("a stream of events that is silent for long is opened, as others are", async () => {
  let waiting: ServerResponse | undefined;
  const url = await startRawUpstream((incoming, response) => {
    waiting = response;
    incoming.resume();
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      server: { keepAliveComments: 20 },
      plugins: { "auth-open": {}, routing: {}, proxy: {} },
      providers: { alpha: { use: "openai", apiKey: "alpha-key-0123", baseUrl: url } },
    }),
  );
  const headers = { "x-gateway-provider": "@alpha" };
  const answered = await fetch(`${gateway.url}/v1/proxy/some/where`, { headers });
  expect(answered.status).toBe(200);
  // The vendor says something only now that the client has its head.
  waiting?.end("data: at last\n\n");
  expect(await answered.text()).toBe("data: at last\n\n");
});

it("an answer that is silent is given up by the clock for silence before it is opened, too", async () => {
  const silent: Answer = (response) => void response.writeHead(200, { "content-type": "audio/mpeg" }).flushHeaders();
  const { ask, asked } = await start([silent]);
  const question = questions[0] as Question;
  expect(await ask(question, alone, { "x-gateway-idle-timeout": "20" })).toMatchObject({ status: 408 });
  expect(await ask(question, both, { "x-gateway-idle-timeout": "20" })).toMatchObject({ text: "sound of beta" });
  expect(asked).toEqual(["alpha", "alpha", "beta"]);
});
