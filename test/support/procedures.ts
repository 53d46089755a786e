import { describe, expect, it } from "vitest";
import { startTestGateway } from "./gateway.ts";
import { type Received, startUpstream } from "./upstream.ts";

/** What a vendor is called with, and answers. */
export interface Exchanged {
  /** `GET /path?query`. */
  readonly call: string | RegExp;
  /** Headers that have to be there; undefined must not be. A pattern is matched. */
  readonly headers?: Readonly<Record<string, string | RegExp | undefined>>;
  /** JSON by value, text to the letter; a function looks itself. */
  readonly sent?: object | string | ((received: Received) => void);
  readonly status?: number;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** JSON, with the vendor's address for `{url}`; text as it is. */
  readonly answer?: object | string | Buffer;
}

/** What a client asks of a provider, what the provider asks its vendor, and what the client gets. */
export interface ProcedureCase {
  readonly name: string;
  /** `GET /v1/files/x`. */
  readonly ask: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | FormData;
  /** In this order. */
  readonly calls: readonly Exchanged[];
  readonly status?: number;
  /** JSON of which this much is looked at; text to the letter; lines of JSON as a list. */
  readonly gets?: object | string | readonly object[];
  readonly getsHeaders?: Readonly<Record<string, string>>;
  /** More options of the provider. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A file as a form has it, the purpose in front of it or behind. */
export function form(file: string | Buffer, purpose?: string, name = "lines.jsonl", behind = false): FormData {
  const data = new FormData();
  if (purpose !== undefined && !behind) data.append("purpose", purpose);
  data.append("file", new Blob([file], { type: "application/jsonl" }), name);
  if (purpose !== undefined && behind) data.append("purpose", purpose);
  return data;
}

/** Lines of JSON. */
export const lines = (...all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join("");

/** A line of a batch. */
export const asking = (id: string, body: object, url = "/v1/chat/completions") => ({
  custom_id: id,
  method: "POST",
  url,
  body,
});

/** Plays each case through a gateway before a stand-in of the vendor. `{url}` in options is the vendor's address. */
export function tryProcedures(
  use: string,
  options: Readonly<Record<string, unknown>>,
  cases: readonly ProcedureCase[],
): void {
  describe(`${use}, asked for what it keeps`, () => {
    it.each(cases.map((one) => [one.name, one] as const))("%s", async (_, one) => {
      const upstream = await startUpstream((__, response) => {
        const { status = 200, answerHeaders, answer = "" } = one.calls[upstream.received.length - 1] ?? { status: 418 };
        const isText = typeof answer === "string" || Buffer.isBuffer(answer);
        const bytes = Buffer.from(isText ? answer : JSON.stringify(answer).replaceAll("{url}", upstream.url));
        const type = isText ? "text/plain" : "application/json";
        response.writeHead(status, { "content-type": type, "content-length": bytes.length, ...answerHeaders });
        response.end(bytes);
      });
      const given = JSON.stringify({ use, ...options, ...one.options }).replaceAll("{url}", upstream.url);
      const gateway = await startTestGateway(
        JSON.stringify({ server: { trustedHosts: ["127.0.0.1"] }, plugins, providers: { own: JSON.parse(given) } }),
      );
      const [method = "", path = ""] = one.ask.split(" ");
      const json = one.body !== undefined && !(one.body instanceof FormData);
      const response = await fetch(gateway.url + path, {
        method,
        headers: { ...(json && { "content-type": "application/json" }), ...one.headers },
        ...(one.body && { body: json ? JSON.stringify(one.body) : (one.body as FormData) }),
      });
      const text = await response.text();
      expect([response.status, text]).toEqual([one.status ?? 200, expect.anything()]);
      for (const [at, received] of upstream.received.entries()) compare(received, one.calls[at], upstream.url);
      expect(upstream.received).toHaveLength(one.calls.length);
      if (typeof one.gets === "string") expect(text).toBe(one.gets);
      else if (Array.isArray(one.gets)) expect(text.trimEnd().split("\n").map(parsed)).toMatchObject(one.gets);
      else if (one.gets) expect(JSON.parse(text)).toMatchObject(one.gets);
      expect(Object.fromEntries(response.headers)).toMatchObject(one.getsHeaders ?? {});
    });
  });
}

const parsed = (text: string): unknown => JSON.parse(text);

const plugins = {
  "auth-open": {},
  routing: { default: "own" },
  "strategy-fallback": {},
  "format-openai-chat": {},
  "format-openai-completions": {},
  "format-openai-embeddings": {},
  "format-openai-files": {},
  "format-anthropic-messages": {},
  "format-bedrock-converse": {},
  "format-cohere-chat": {},
  "format-gemini": {},
};

function compare(received: Received, expected: Exchanged | undefined, url: string): void {
  const called = `${received.method} ${received.url}`;
  if (expected?.call instanceof RegExp) expect(called).toMatch(expected.call);
  else expect(called).toBe(expected?.call);
  for (const [name, value] of Object.entries(expected?.headers ?? {})) {
    const found = received.headers[name];
    if (value instanceof RegExp) expect(`${name}: ${found}`).toMatch(value);
    else expect([name, found]).toEqual([name, value?.replaceAll("{url}", url)]);
  }
  const { sent } = expected ?? {};
  if (typeof sent === "function") sent(received);
  else if (typeof sent === "string") expect(received.body.toString()).toBe(sent);
  else if (sent) expect(JSON.parse(received.body.toString())).toEqual(sent);
}
