import { request } from "node:http";
import { expect, it } from "vitest";
import { temporaryFolder } from "../cli/testing.ts";
import type { Transport } from "../model/transport.ts";
import { defineProvider, type ProviderInput, z } from "../provider-kit/index.ts";
import { type ConformanceReport, checkProvider, columns } from "./index.ts";

type Input = Omit<ProviderInput<z.ZodObject>, "name" | "summary">;

const acme = (more: Partial<Input>) =>
  defineProvider({
    name: "acme",
    summary: "A vendor.",
    baseUrl: "https://acme.example/v1",
    operations: { chat: "openai-chat" },
    ...more,
  });

const chat = (more: object): Partial<Input> => ({ operations: { chat: { format: "openai-chat", ...more } } });

type Wire = Record<string, unknown>;

/** Calls as they should leave, but nobody can end them. */
const deaf: Transport = {
  send({ origin, path, method, headers, body }, listener) {
    const sent = request(origin + path, { method, headers, agent: false }, (response) => {
      listener.headers(response.statusCode ?? 0, response.headers);
      response.on("data", (bytes: Buffer) => listener.data(bytes));
      response.on("end", () => listener.end());
      response.on("error", (cause) => listener.error(cause));
    });
    sent.on("socket", () => listener.connected());
    sent.on("error", (cause) => listener.error(cause));
    sent.end(body);
    return { abort: () => undefined, pause: () => undefined, resume: () => undefined };
  },
};

const withoutText = ({ messages, ...wire }: Readonly<Wire>): Wire => ({
  ...wire,
  messages: (messages as unknown[]).slice(0, 1),
});
const withoutTools = ({ tools: _, ...wire }: Readonly<Wire>): Wire => wire;
const withoutImages = (wire: Readonly<Wire>): Wire => ({
  ...wire,
  messages: (wire.messages as { content: unknown }[]).map((message) => ({
    ...message,
    content: Array.isArray(message.content)
      ? message.content.filter(({ type }) => type !== "image_url")
      : message.content,
  })),
});
const silenced = (wire: Wire): Wire => ({
  ...wire,
  choices: (wire.choices as Wire[]).map((one) => ({ ...one, delta: {} })),
});
const always = ["{"];

/** A fault of a provider, the column that shows it, and what is said of it. */
const faults: readonly (readonly [what: string, column: (typeof columns)[number], reason: RegExp, Partial<Input>])[] = [
  [
    "sends no credential",
    "whole",
    /no header holds the provider's credential/,
    { authenticate: () => ({ "x-title": "Sluice" }) },
  ],
  ["calls another path", "whole", /the path is/, chat({ path: () => `/chat${"/"}${Math.random()}` })],
  [
    "loses a message",
    "whole",
    /the user's text did not arrive/,
    chat({ rewrite: { when: always, apply: withoutText } }),
  ],
  [
    "changes the model",
    "whole",
    /the model is "other"/,
    chat({ rewrite: { when: always, apply: (wire: Wire) => ({ ...wire, model: "other" }) } }),
  ],
  [
    "misreads answers",
    "whole",
    /normalise cannot read/,
    chat({ normalise: (wire: Wire) => ({ ...wire, choices: [] }) }),
  ],
  ["loses what a stream says", "streamed", /normaliseFrame cannot read/, chat({ normaliseFrame: silenced })],
  ["does not ask for streams", "streamed", /does not ask for a stream/, chat({ drops: ["stream"] })],
  [
    "loses tools and does not say so",
    "tools",
    /the tool did not arrive/,
    chat({ rewrite: { when: always, apply: withoutTools } }),
  ],
  [
    "loses images and does not say so",
    "images",
    /the image did not arrive/,
    chat({ rewrite: { when: always, apply: withoutImages } }),
  ],
  [
    "hides what the vendor said",
    "errors",
    /did not reach the client/,
    { readError: () => ({ message: "Something happened." }) },
  ],
  ["does not let calls be ended", "abort", /the call to the vendor was not ended/, { transport: () => deaf }],
  [
    "does not ask for the usage of streams",
    "usage",
    /was not asked for the usage/,
    chat({ drops: ["stream_options"] }),
  ],
  ["loses usage", "usage", /recorded as/, chat({ normaliseFrame: ({ usage: _, ...wire }: Wire) => wire })],
];

const cell = ({ rows }: ConformanceReport, column: (typeof columns)[number]) => rows[0]?.cells[column];

it.each(faults)("tells of a provider that %s in the column %s", async (_, column, reason, more) => {
  const report = await checkProvider(acme(more), { deadline: 500 });
  expect(cell(report, column)).toMatchObject({ result: "failed", reason: expect.stringMatching(reason) });
  expect(report.failures).not.toEqual([]);
});

it("has a fault for every column", () => {
  expect([...new Set(faults.map(([, column]) => column))].sort()).toEqual([...columns].sort());
});

it("finds nothing wrong with a provider that does as all do, by a client of its format and of another one", async () => {
  const report = await checkProvider(acme({}));
  expect(report).toMatchObject({ provider: "acme", failures: [], notes: [], fixtures: [] });
  expect(report.rows.map(({ client }) => client)).toEqual(["openai-chat", "anthropic-messages"]);
  for (const { cells } of report.rows)
    expect(Object.values(cells).map(({ result }) => result)).toEqual(columns.map(() => "ok"));
});

it("takes a loss that the client is told of for a vendor that has no such thing", async () => {
  const { rows, failures } = await checkProvider(acme(chat({ drops: ["tools"] })));
  expect(failures).toEqual([]);
  expect(rows.map(({ cells }) => cells.tools.result)).toEqual(["none", "none"]);
});

it("lets a vendor without streams be asked for a whole answer, which the client gets as a stream", async () => {
  const { rows, failures } = await checkProvider(acme(chat({ whole: true })));
  expect(failures).toEqual([]);
  expect(rows[0]?.cells.streamed).toEqual({ result: "ok" });
});

it("tells of a format that no plugin brings", async () => {
  const { failures } = await checkProvider(acme({ operations: { chat: "acme-chat" } }));
  expect(failures).toEqual([
    "chat (acme-chat): whole, streamed, tools, images, errors, abort, usage: no plugin brings the format acme-chat: name the one that does (--plugin ./format-acme-chat.ts)",
  ]);
});

it("tells of a format whose models it does not know", async () => {
  const definition = acme(chat({ serves: (model: string) => model === "big" }));
  expect((await checkProvider(definition)).failures[0]).toContain("no model is known that the vendor serves");
  expect((await checkProvider(definition, { models: ["big"] })).failures).toEqual([]);
});

it("makes up what options a provider requires, and asks for those it cannot make up", async () => {
  const options = z.strictObject({
    account: z.string().regex(/^[a-z-]+$/),
    kind: z.enum(["small", "large"]),
    at: z.url(),
  });
  expect((await checkProvider(acme({ options }))).failures).toEqual([]);
  const odd = z.strictObject({ account: z.string().regex(/^acme-\d+$/) });
  await expect(checkProvider(acme({ options: odd }))).rejects.toThrow(
    "acme cannot be set up with stand-ins: give it the options account",
  );
  expect((await checkProvider(acme({ options: odd }), { options: { account: "acme-7" } })).failures).toEqual([]);
});

it("tells what a provider lacks", async () => {
  await expect(checkProvider(acme({ lacks: () => "a project" }))).rejects.toThrow(
    "acme needs a project: say so in its options (--options FILE).",
  );
});

const message = { role: "user", content: "Hello" };
const answer = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
};
const fixture = {
  "request.json": { path: "/v1/chat/completions", body: { model: "m", messages: [message] } },
  "upstream-request.json": {
    path: "/chat/completions",
    headers: { authorization: "Bearer ***" },
    body: { model: "m", messages: [message] },
  },
  "upstream-answer.json": { body: answer },
  "answer.json": { body: { ...answer, id: "…" } },
};

const fixtureFolder = (more: Readonly<Record<string, unknown>> = {}): string =>
  temporaryFolder(
    Object.fromEntries(
      Object.entries({ ...fixture, ...more }).map(([file, content]) => [
        `hello/${file}`,
        typeof content === "string" ? content : JSON.stringify(content),
      ]),
    ),
  );

it("replays fixtures", async () => {
  const { fixtures, failures } = await checkProvider(acme({}), { fixtures: fixtureFolder() });
  expect({ fixtures, failures }).toEqual({ fixtures: [{ name: "hello", cell: { result: "ok" } }], failures: [] });
});

it.each([
  ["upstream-request.json", { path: "/elsewhere" }, "the path was /chat/completions"],
  [
    "upstream-request.json",
    { ...fixture["upstream-request.json"], headers: { "x-title": "a" } },
    "the header x-title was sent as undefined",
  ],
  [
    "upstream-request.json",
    { ...fixture["upstream-request.json"], body: {} },
    "upstream-request.json: what came was {",
  ],
  ["answer.json", { body: {} }, "answer.json: what came was {"],
  ["answer.json", { ...fixture["answer.json"], status: 201 }, "the status was 200"],
  ["answer.sse", "data: [DONE]\n\n", "answer.sse: other bytes from 0 on"],
])("tells of a fixture whose %s is not what comes", async (file, content, reason) => {
  const { failures } = await checkProvider(acme({}), { fixtures: fixtureFolder({ [file]: content }) });
  expect(failures).toEqual([expect.stringMatching(/^fixture hello: /)]);
  expect(failures[0]).toContain(reason);
});

it("asks for fixtures that are whole", async () => {
  await expect(checkProvider(acme({}), { fixtures: fixtureFolder({ "answer.json": "{" }) })).rejects.toThrow(
    "answer.json",
  );
});

/** What a vendor of its own shape answers: the fixture shows it. */
it("answers as the vendor does where a fixture shows how", async () => {
  const own = chat({
    normalise: ({ said }: Wire) => ({
      ...answer,
      choices: [{ index: 0, message: { role: "assistant", content: said }, finish_reason: "stop" }],
    }),
  });
  expect((await checkProvider(acme(own))).rows[0]?.cells.whole.result).toBe("failed");
  const folder = fixtureFolder({
    "upstream-answer.json": { body: { said: "Hi" } },
    "answer.json": { body: { ...answer, provider: "acme", choices: [{ ...answer.choices[0], logprobs: null }] } },
  });
  const report = await checkProvider(acme(own), { fixtures: folder });
  expect(cell(report, "whole")).toEqual({ result: "ok" });
  expect(report.fixtures).toEqual([{ name: "hello", cell: { result: "ok" } }]);
});
