import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { dotted } from "../dotted.ts";
import { errorMessage } from "../errors/error-message.ts";
import { type ClientAnswer, post } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { type Arrived, clientKey } from "./inspect.ts";
import { type Cell, cellOf } from "./report.ts";
import { same } from "./same.ts";
import { answerJson, type MockVendor } from "./vendor.ts";

/** A request or an answer of a fixture. JSON stands in `body`; `bytes` is a stream, to the byte. */
export interface Message {
  /** Of the client: at the gateway; of the vendor: below the base URL. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly body?: unknown;
  readonly bytes?: Buffer;
}

/** One recorded exchange. */
export interface Fixture {
  /** The name of its folder. */
  readonly name: string;
  readonly request: Message;
  /** With the model the client asked for, where one is named. */
  readonly upstreamRequest: Message & { readonly model?: string };
  readonly upstreamAnswer: Message;
  readonly answer: Message;
}

/** Where the fixtures of a provider's file are: beside `index.ts`, else in a folder named after the file. */
export const fixturesFolder = (file: string): string =>
  /^index\.\w+$/.test(basename(file))
    ? join(dirname(file), "fixtures")
    : join(dirname(file), "fixtures", basename(file).replace(/\.\w+$/, ""));

/** The fixtures of a folder; none when there is no such folder. Throws when a file is missing or is not JSON. */
export function readFixtures(folder: string | undefined): Fixture[] {
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readFixture(name, join(folder, name)))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function readFixture(name: string, folder: string): Fixture {
  const request = messageIn(folder, "request");
  const model = modelOf(request);
  return {
    name,
    request,
    upstreamRequest: { ...messageIn(folder, "upstream-request"), ...(model !== undefined && { model }) },
    upstreamAnswer: messageIn(folder, "upstream-answer"),
    answer: messageIn(folder, "answer"),
  };
}

/** What may be a stream, in whatever framing. */
const streamable: ReadonlySet<string> = new Set(["upstream-answer", "answer"]);

/** `NAME.json`, or `NAME.sse` for an answer that is a stream. */
function messageIn(folder: string, name: string): Message {
  const stream = join(folder, `${name}.sse`);
  if (existsSync(stream)) return { bytes: readFileSync(stream) };
  const file = join(folder, `${name}.json`);
  if (!existsSync(file))
    throw new Error(`${folder}: there is no ${name}.json${streamable.has(name) ? `, and no ${name}.sse` : ""}`);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Message;
  } catch (cause) {
    throw new Error(`${file}: ${errorMessage(cause)}`, { cause });
  }
}

/** The model a fixture's request names in its body. */
export function modelOf({ body }: Message): string | undefined {
  const model = (body as { model?: unknown } | undefined)?.model;
  return typeof model === "string" ? model : undefined;
}

/** Sends a fixture's request through the gateway, answers as its vendor did, and compares both ends. */
export async function replay(
  fixture: Fixture,
  { url, provider }: Deployment,
  vendor: MockVendor,
  deadline: number,
): Promise<Cell> {
  vendor.play((_, response) => {
    const { status = 200, headers = {}, body, bytes } = fixture.upstreamAnswer;
    if (bytes === undefined) return answerJson(response, status, body, headers);
    response.writeHead(status, { "content-type": "text/event-stream", ...headers });
    response.end(bytes);
  });
  const { path = "/", headers = {}, body } = fixture.request;
  try {
    const answer = await post(url + path, { authorization: `Bearer ${clientKey}`, ...headers }, body, deadline).answer;
    const [call] = vendor.calls;
    if (!call) return cellOf([`the vendor was not called: ${answer.bytes.toString()}`]);
    const { secrets, basePath } = provider;
    return cellOf([
      ...sentDifferences(fixture.upstreamRequest, call.request, basePath, secrets),
      ...answerDifferences(fixture.answer, answer),
    ]);
  } catch (error) {
    return cellOf([errorMessage(error)]);
  }
}

function sentDifferences(expected: Message, sent: Arrived, basePath: string, secrets: readonly string[]): string[] {
  const path = sent.url.slice(basePath.length);
  const hidden = (text: string) => secrets.reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
  const headers = Object.entries(expected.headers ?? {}).flatMap(([name, value]) => {
    const found = sent.headers[name];
    return typeof found === "string" && hidden(found) === value
      ? []
      : [`upstream-request.json: the header ${name} was sent as ${hidden(String(found))}`];
  });
  return [
    ...(path === expected.path ? [] : [`upstream-request.json: the path was ${path}`]),
    ...headers,
    ...jsonDifferences("upstream-request.json", expected.body, sent.body),
  ];
}

function answerDifferences({ status = 200, body, bytes }: Message, answer: ClientAnswer): string[] {
  const wrong = answer.status === status ? [] : [`answer: the status was ${answer.status}`];
  if (bytes === undefined) return [...wrong, ...jsonDifferences("answer.json", body, answer.bytes)];
  if (bytes.equals(answer.bytes) || fitsPattern(bytes.toString(), answer.bytes.toString())) return wrong;
  const at = [...bytes].findIndex((byte, index) => byte !== answer.bytes[index]);
  const from = at < 0 ? bytes.length : at;
  const found = JSON.stringify(answer.bytes.subarray(from, from + 60).toString());
  return [...wrong, `answer.sse: other bytes from ${from} on: ${found}`];
}

function jsonDifferences(file: string, expected: unknown, bytes: Buffer): string[] {
  const text = bytes.toString();
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return [`${file}: what came is not JSON: ${text.slice(0, 160)}`];
  }
  const filled = withAnything(expected, found);
  return same(expected, filled) ? [] : [`${file}: what came was ${text}; it differs at ${placeOf(expected, filled)}`];
}

/** The first place in which two values are not the same: `choices[0].logprobs`. */
function placeOf(expected: unknown, found: unknown): string {
  const path: (string | number)[] = [];
  let [left, right] = [expected, found];
  while (isHolder(left) && isHolder(right) && Array.isArray(left) === Array.isArray(right)) {
    const [one, other] = [left, right];
    const key = [...new Set([...Object.keys(one), ...Object.keys(other)])].find(
      (name) => !same(one[name], other[name]),
    );
    if (key === undefined) break;
    path.push(Array.isArray(one) ? Number(key) : key);
    [left, right] = [one[key], other[key]];
  }
  return path.length === 0 ? "the top" : dotted(path);
}

const isHolder = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Streams are compared to the byte, but for `"…"`: texts and numbers that are made anew each time. */
function fitsPattern(expected: string, found: string): boolean {
  if (!expected.includes('"…"')) return false;
  const literal = expected.split('"…"').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join('(?:"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.eE+-]*)')}$`).test(found);
}

/** `"…"` in a fixture stands for any text or number. */
function withAnything(expected: unknown, found: unknown): unknown {
  if (expected === "…" && (typeof found === "string" || typeof found === "number")) return expected;
  if (Array.isArray(expected) && Array.isArray(found))
    return found.map((one: unknown, index) => withAnything(expected[index], one));
  if (typeof expected !== "object" || typeof found !== "object" || expected === null || found === null) return found;
  const wanted = expected as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, withAnything(wanted[name], value)]));
}
