import { expect } from "vitest";
import type { FormatName } from "./vendor.ts";

/** What a client can tell of its answer. */
export interface Reading {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Wire = Record<string, unknown>;

interface Event {
  readonly event?: string;
  readonly data: string;
}

function eventsOf(text: string): Event[] {
  return text
    .split("\n\n")
    .map((frame) => ({
      ...(/^event: (.*)$/m.test(frame) && { event: /^event: (.*)$/m.exec(frame)?.[1] ?? "" }),
      data: /^data: (.*)$/m.exec(frame)?.[1] ?? "",
    }))
    .filter(({ data }) => data !== "");
}

/** What an answer is to be. */
export type Expected =
  | { readonly kind: "complete"; readonly malformed?: number }
  | {
      readonly kind: "refused";
      readonly status: number;
      /** The shape of the body (inference-api.md section 5.1). */
      readonly family: "A" | "B" | "C";
      readonly type: string | null;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** An error inside the stream. */
  | { readonly kind: "broken"; readonly type: string };

export const complete: Expected = { kind: "complete" };
export const refused = (
  status: number,
  family: "A" | "B" | "C",
  type: string | null,
  headers: Record<string, string> = {},
): Expected => ({ kind: "refused", status, family, type, headers });
export const broken = (type: string): Expected => ({ kind: "broken", type });

export function expectAnswer(reading: Reading, expected: Expected, client: FormatName, stream: boolean): void {
  if (expected.kind === "refused") return expectRefusal(reading, expected, client);
  expect(reading.status, reading.text).toBe(200);
  if (!stream) return expectWhole(reading, client);
  expect(reading.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const events = eventsOf(reading.text);
  if (expected.kind === "complete") return expectComplete(events, client);
  expectBroken(events, expected.type, client);
}

function expectRefusal(
  { status, headers, text }: Reading,
  expected: Expected & { kind: "refused" },
  client: FormatName,
): void {
  expect(status, text).toBe(expected.status);
  expect(headers.get("content-type")).toBe("application/json");
  for (const [name, value] of Object.entries(expected.headers ?? {})) expect(headers.get(name), name).toBe(value);
  const body = JSON.parse(text) as Wire;
  const { message } = body.error as { message: string };
  // Clients of Anthropic know no error without a type: one of a shape that can be read has that of its status.
  const isTyped = client === "anthropic" && !message.startsWith("Invalid response received from ");
  const type = expected.type ?? (isTyped ? expect.any(String) : null);
  expect(body).toMatchObject({ error: { message: expect.any(String), type, param: null } });
  expect(body.status).toBe(expected.family === "A" ? "failure" : undefined);
  expect(body.message).toBe(expected.family === "A" ? message : undefined);
  expect(typeof body.provider).toBe(expected.family === "B" ? "string" : "undefined");
  if (expected.family === "B") expect(message).toMatch(/^\S+ error: |^Invalid response received from /);
  // Clients of Anthropic recognise an error by this, whatever else it holds.
  expect(body.type).toBe(client === "anthropic" ? "error" : undefined);
}

function expectWhole({ text }: Reading, client: FormatName): void {
  expect(JSON.parse(text)).toMatchObject(
    client === "openai"
      ? { choices: [{ message: { role: "assistant", content: expect.any(String) }, finish_reason: "stop" }] }
      : { type: "message", content: [{ type: "text", text: expect.any(String) }], stop_reason: "end_turn" },
  );
}

function expectComplete(events: readonly Event[], client: FormatName): void {
  const last = events.at(-1);
  if (client === "openai") {
    expect(last).toEqual({ data: "[DONE]" });
    expect(events.some(({ data }) => data.includes('"finish_reason":"stop"'))).toBe(true);
    expect(events.filter(({ data }) => data === "[DONE]")).toHaveLength(1);
  } else {
    expect(last).toMatchObject({ event: "message_stop" });
    expect(events.filter(({ event }) => event === "message_delta")).toHaveLength(1);
  }
  expect(events.some(({ event, data }) => event === "error" || data.startsWith('{"error"'))).toBe(false);
}

/** The error is the last thing that is said, once, in the client's own format; the end of a good answer never comes. */
function expectBroken(events: readonly Event[], type: string, client: FormatName): void {
  const last = events.at(-1);
  const error = expect.objectContaining({ type, message: expect.stringMatching(/./) });
  if (client === "openai") {
    expect(JSON.parse(last?.data ?? "")).toMatchObject({ error });
    expect(events.map(({ data }) => data)).not.toContain("[DONE]");
  } else {
    expect(last?.event).toBe("error");
    expect(JSON.parse(last?.data ?? "")).toMatchObject({ type: "error", error });
    expect(events.map(({ event }) => event)).not.toContain("message_stop");
  }
  expect(events.filter(({ data }) => data.includes('"error":{'))).toHaveLength(1);
  expect(events.length).toBeGreaterThan(1);
}
