import { describe, expect, it } from "vitest";
import { jsonEvents, type Said, startGuarded } from "./testing.ts";

/** How clients of a format ask, and read what they are answered. */
interface ClientFormat {
  readonly name: string;
  readonly provider: string;
  path(stream: boolean): string;
  body(text: string): object;
  /** The text of a whole answer. */
  whole(json: Wire): unknown;
  /** The text in an event of a stream. */
  delta(event: Wire): unknown;
  /** How a denial looks that is an answer. */
  readonly soft: object;
  /** Whether it has events of nobody's format. */
  readonly asides: "data" | "event" | undefined;
  /** What errors have besides. */
  readonly error: object;
  /** What ends a stream. */
  readonly end: string;
}
// biome-ignore lint/suspicious/noExplicitAny: answers of five shapes
type Wire = any;

const asked = (text: string) => ({ model: "m", messages: [{ role: "user", content: text }] });

const formats: readonly ClientFormat[] = [
  {
    name: "chat completions",
    provider: "@openai",
    path: () => "/v1/chat/completions",
    body: asked,
    whole: (json) => json.choices[0].message.content,
    delta: (event) => event.choices?.[0]?.delta?.content,
    soft: {
      id: expect.stringMatching(/^chatcmpl-/),
      choices: [{ finish_reason: "content_filter" }],
      usage: { total_tokens: 0 },
    },
    asides: "data",
    error: { param: null, code: null },
    end: "data: [DONE]\n\n",
  },
  {
    name: "completions",
    provider: "@openai",
    path: () => "/v1/completions",
    body: (prompt) => ({ model: "m", prompt }),
    whole: (json) => json.choices[0].text,
    delta: (event) => event.choices?.[0]?.text,
    soft: { id: expect.stringMatching(/^cmpl-/), choices: [{ finish_reason: "content_filter" }] },
    asides: "data",
    error: { param: null, code: null },
    end: "data: [DONE]\n\n",
  },
  {
    name: "messages",
    provider: "@openai",
    path: () => "/v1/messages",
    body: (text) => ({ ...asked(text), max_tokens: 100 }),
    whole: (json) => json.content[0].text,
    delta: (event) => event.delta?.text,
    soft: { type: "message", stop_reason: "end_turn", usage: { input_tokens: 0, output_tokens: 0 } },
    asides: "event",
    error: { param: null, code: null },
    end: '"type":"message_stop"}\n\n',
  },
  {
    name: "responses",
    provider: "@deepseek",
    path: () => "/v1/responses",
    body: (input) => ({ model: "m", input }),
    whole: (json) => json.output[0].content[0].text,
    delta: (event) => (event.type === "response.output_text.delta" ? event.delta : undefined),
    soft: { object: "response", status: "completed" },
    asides: "event",
    error: { param: null, code: null },
    end: "}\n\n",
  },
  {
    name: "Gemini",
    provider: "@openai",
    path: (stream) => `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
    whole: (json) => json.candidates[0].content.parts[0].text,
    delta: (event) => event.candidates?.[0]?.content?.parts?.[0]?.text,
    soft: { candidates: [{}] },
    asides: undefined,
    error: { code: 446 },
    end: "}\n\n",
  },
];

const noTea = { contains: { words: ["tea"], operator: "none" } };
const digits = { "test.digits": {} };

interface Row {
  readonly what: string;
  /** Of lists of either side. */
  readonly lists: { readonly guardrails?: readonly object[]; readonly mutators?: readonly object[] };
  readonly says: string;
  /** Of an answer in one piece; streams of a failing output have begun with 200. */
  readonly status: number;
  /** What comes of the text; absent where it is denied. */
  readonly text?: string;
  readonly entry?: object;
}

const rows: readonly Row[] = [
  {
    what: "a pass",
    lists: { guardrails: [{ id: "g", ...noTea }] },
    says: "no 12 coffee",
    status: 200,
    text: "no 12 coffee",
    entry: { id: "g", verdict: true, deny: false, transformed: false, async: false, type: "guardrail", feedback: null },
  },
  {
    what: "a pass that is remarked on",
    lists: { guardrails: [{ ...noTea, on_success: { feedback: { value: 5, metadata: { team: "x" } } } }] },
    says: "no 12 coffee",
    status: 200,
    text: "no 12 coffee",
    entry: { verdict: true, feedback: { value: 5, metadata: { team: "x", successfulChecks: "default.contains" } } },
  },
  {
    what: "a denial by a check that needs the whole text, and time",
    lists: { guardrails: [{ "test.odd": { does: "late", verdict: false }, deny: true, streams: "buffer" }] },
    says: "tea 12",
    status: 446,
    entry: { verdict: false, deny: true },
  },
  {
    what: "a failure",
    lists: { guardrails: [{ ...noTea, on_fail: { feedback: { value: -1 } } }] },
    says: "tea 12",
    status: 246,
    text: "tea 12",
    entry: { verdict: false, deny: false, feedback: { value: -1, metadata: { failedChecks: "default.contains" } } },
  },
  {
    what: "a denial",
    lists: { guardrails: [{ ...noTea, deny: true }] },
    says: "tea 12",
    status: 446,
    entry: { verdict: false, deny: true },
  },
  {
    what: "a denial of what takes something out",
    lists: { guardrails: [{ "test.digits": { fail: true }, deny: true }] },
    says: "12 and 3",
    status: 446,
    entry: { verdict: false, deny: true },
  },
  {
    what: "a soft denial",
    lists: { guardrails: [{ ...noTea, deny: true, soft_deny_200: true }] },
    says: "tea 12",
    status: 200,
    entry: { verdict: false, deny: true },
  },
  {
    what: "a redaction",
    lists: { guardrails: [{ ...digits, deny: true }] },
    says: "call 123 now, 4567",
    status: 200,
    text: "call # now, #",
    entry: { verdict: true, transformed: true },
  },
  {
    what: "a mutator, which denies nothing",
    lists: { mutators: [{ ...digits, deny: true, a: { id: "default.contains", words: ["gin"] } }] },
    says: "call 123",
    status: 200,
    text: "call #",
    entry: { verdict: true, deny: false, type: "mutator", transformed: true },
  },
  {
    what: "one nobody waits for",
    lists: { guardrails: [{ ...noTea, deny: true, async: true }] },
    says: "tea 12",
    status: 200,
    text: "tea 12",
  },
  {
    what: "one after the other, on what the one before left",
    lists: {
      guardrails: [{ ...digits, contains: { words: ["12"], operator: "none" }, deny: true, sequential: true }],
    },
    says: "call 12",
    status: 200,
    text: "call #",
    entry: { verdict: true, transformed: true },
  },
];

const configOf = (side: "input" | "output", { guardrails, mutators }: Row["lists"]) => ({
  ...(guardrails && { [`${side}_guardrails`]: guardrails }),
  ...(mutators && { [`${side}_mutators`]: mutators }),
});
const field = { input: "before_request_hooks", output: "after_request_hooks" } as const;

/** What the vendor was told, whatever the format. */
const told = (body: Buffer): unknown => {
  const { messages, prompt } = JSON.parse(`${body}`);
  const content = messages?.at(-1).content ?? prompt;
  return typeof content === "string" ? content : content?.[0]?.text;
};

describe.each(formats)("$name", ({ provider, path, body, whole, delta, soft, asides, error, end }) => {
  const expectDenied = ({ json, headers }: Said) => {
    expect(headers.get("content-type")).toContain("application/json");
    expect(json.error).toMatchObject({ type: "hooks_failed", ...error });
  };

  it.each(rows)("whole: $what", async (row) => {
    const { ask, received } = await startGuarded();
    for (const side of ["input", "output"] as const) {
      const calls = received.length;
      const said = await ask({ provider, ...configOf(side, row.lists) }, body(row.says), path(false));
      expect([side, said.status]).toEqual([side, row.status]);
      const { hook_results: results } = said.json;
      if (row.entry) {
        expect(results?.[field[side]]).toMatchObject([row.entry]);
        expect(results?.[field[side === "input" ? "output" : "input"]]).toEqual([]);
      } else expect(results).toBeUndefined();
      if (row.status === 446) expectDenied(said);
      else if (row.text === undefined) expect(said.json).toMatchObject(soft);
      else expect(whole(said.json)).toBe(row.text);
      const stopped = side === "input" && row.text === undefined;
      expect(received.length - calls).toBe(stopped ? 0 : 1);
      if (!stopped) expect(told(received.at(-1)?.body as Buffer)).toBe(side === "input" ? row.text : row.says);
    }
  });

  it.each(rows)("streamed: $what", async (row) => {
    const { ask, received } = await startGuarded();
    for (const strict of ["true", "false"])
      for (const side of ["input", "output"] as const) {
        const calls = received.length;
        const headers = { "x-gateway-strict-open-ai-compliance": strict };
        const config = { provider, ...configOf(side, row.lists) };
        const said = await ask(config, { ...body(row.says), stream: true }, path(true), headers);
        expect([side, said.status]).toEqual([side, side === "output" && row.status === 246 ? 200 : row.status]);
        const stopped = side === "input" && row.text === undefined;
        expect(received.length - calls).toBe(stopped ? 0 : 1);
        if (row.status === 446) {
          expectDenied(said);
          expect(said.json.hook_results?.[field[side]]).toMatchObject([row.entry ?? {}]);
          continue;
        }
        expect(said.headers.get("content-type")).toContain("text/event-stream");
        const events = jsonEvents(said.text) as Wire[];
        const heard = events.map((event) => delta(event) ?? "").join("");
        if (row.text === undefined) expect(heard).toContain("denied");
        else expect(heard).toBe(row.text);
        const results = events.filter((event) => "hook_results" in event);
        if (strict === "true" || !asides || !row.entry) {
          expect(results).toEqual([]);
          expect(said.text.endsWith(end)).toBe(true);
          continue;
        }
        expect(results).toMatchObject([{ hook_results: { [field[side]]: [row.entry] } }]);
        expect(said.text.startsWith(asides === "event" ? "event: hook_results\n" : 'data: {"hook_results"')).toBe(
          side === "input",
        );
        expect(events.indexOf(results[0])).toBe(side === "input" ? 0 : events.length - 1);
        if (side === "output") expect(said.text.lastIndexOf("hook_results")).toBeGreaterThan(said.text.indexOf(end));
      }
  });
});

describe("embeddings", () => {
  const path = "/v1/embeddings";
  const body = (input: unknown) => ({ model: "m", input });
  it.each<[string, object, number, string | undefined]>([
    ["pass", noTea, 246, undefined],
    ["are denied", { ...noTea, deny: true }, 446, undefined],
    ["are denied where they are not changed", { "test.digits": { fail: true }, deny: true }, 446, undefined],
    ["are not changed", digits, 200, "redaction not supported for embeddings"],
  ])("%s on the input", async (_, guardrail, status, error) => {
    const { ask, received } = await startGuarded();
    const said = await ask({ input_guardrails: [guardrail] }, body(["12", "tea"]), path);
    const [entry] = said.json.hook_results?.before_request_hooks ?? [];
    expect([said.status, entry?.checks[0]?.error?.message]).toEqual([status, error]);
    expect(entry?.transformed).toBe(false);
    if (status !== 446) expect(JSON.parse(`${received[0]?.body}`).input).toEqual(["12", "tea"]);
  });

  it("have no guardrails of the output, and no mutators", async () => {
    const { ask } = await startGuarded();
    const config = { output_guardrails: [{ ...noTea, deny: true }], input_mutators: [digits] };
    const { status, json } = await ask(config, body("tea 12"), path);
    expect([status, json.hook_results]).toEqual([200, undefined]);
  });
});
