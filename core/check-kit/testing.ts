import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { GatewayError } from "../errors/gateway-error.ts";
import type { ChatResponse } from "../model/chat.ts";
import type { Exchange } from "../model/exchange.ts";
import type { OperationName, ResponseOf } from "../model/operations.ts";
import type { InternalAnswer, InternalCall } from "../pipeline/internal-call.ts";
import { CheckError, type CheckInput, type CheckResult, type CheckSubject } from "./check-input.ts";
import type { CheckRow, CheckTable, TriedCall, TriedModel, TriedSubject } from "./check-table.ts";
import type { CheckAnswer, CheckRequest, CheckTools } from "./check-tools.ts";
import type { Check } from "./define-check.ts";
import { redactedTexts } from "./redactor.ts";

/** Registers a test for every row of a check's table: the texts it lets pass, and those it does not. */
export function tryCheck<Parameters extends z.ZodObject>(
  check: Check<Parameters>,
  table: CheckTable<Parameters> | undefined = check.table,
): void {
  const { passes = [], fails = [] } = table ?? {};
  const rows = [...passes.map((row) => [true, row] as const), ...fails.map((row) => [false, row] as const)];
  describe(check.id, () => {
    it("has texts that pass, and texts that fail or change", () => {
      expect(passes.length).toBeGreaterThan(0);
      const changes = passes.some(
        (row) => row.becomes !== undefined || row.json !== undefined || row.body !== undefined,
      );
      expect(fails.length > 0 || changes).toBe(true);
    });
    for (const [at, [verdict, row]] of rows.entries())
      it(`${verdict ? "passes" : "fails"} ${nameOf(row)} (row ${at + 1})`, () => judge(check, row, verdict));
  });
}

const nameOf = (row: CheckRow): string => {
  const { text, texts, subject, parameters } = row;
  return `${JSON.stringify(text ?? texts ?? subject ?? "").slice(0, 60)} with ${JSON.stringify(parameters ?? {}).slice(0, 80)}`;
};

async function judge<Parameters extends z.ZodObject>(
  check: Check<Parameters>,
  row: CheckRow<Parameters>,
  verdict: boolean,
): Promise<void> {
  const asked: CheckRequest[] = [];
  const called: InternalCall<OperationName>[] = [];
  const ran = await outcomeOf(check, row, toolsFor(row, asked, called));
  if (ran instanceof CheckError) {
    expect(row.error, `an error: ${ran.message}`).toBeDefined();
    expect(ran.message).toContain(row.error);
    expect(ran.verdict ?? check.verdictOnError ?? false).toBe(verdict);
    if (row.data !== undefined) expect(ran.data).toMatchObject(row.data as object);
  } else {
    expect(row.error, "no error").toBeUndefined();
    expectResult(ran, row, verdict);
    expectRedacted(check, row);
  }
  for (const [at, { url, headers, body }] of (row.asks ?? []).entries()) {
    const request = asked[at];
    if (url !== undefined) expect(request?.url).toContain(url);
    if (headers) expect(request?.headers).toMatchObject(headers);
    if (typeof body === "string") expect(request?.body).toContain(body);
    else if (body !== undefined) expect(request?.body).toMatchObject(body as object);
  }
  expect(asked.length, "calls").toBe(row.asks?.length ?? 0);
  for (const [at, { asked: call }] of (row.calls ?? []).entries()) if (call) expect(called[at]).toMatchObject(call);
  expect(called.length, "calls of models").toBe(row.calls?.length ?? 0);
}

function expectResult(result: CheckResult, row: CheckRow, verdict: boolean): void {
  expect(result.verdict).toBe(verdict);
  // What is recorded has to survive being stored.
  if (result.data !== undefined) expect(JSON.parse(JSON.stringify(result.data))).toEqual(result.data);
  if (row.data !== undefined)
    expect(result.data).toEqual(Array.isArray(row.data) ? row.data : expect.objectContaining(row.data as object));
  const { becomes } = row;
  if (becomes !== undefined) expect(result.texts).toEqual(typeof becomes === "string" ? [becomes] : becomes);
  if (row.json !== undefined) expect(result.json).toEqual(row.json);
  if (row.body !== undefined) expect(result.body).toEqual(row.body);
  if (row.headers) expect(result.headers).toEqual(row.headers);
}

/** What is taken out of streams by the redactor is what `run` takes out of whole texts. */
function expectRedacted<Parameters extends z.ZodObject>(check: Check<Parameters>, row: CheckRow<Parameters>): void {
  const { text, texts = text === undefined ? [] : [text], becomes } = row;
  const parameters = check.parameters.parse(row.parameters ?? {});
  const made = check.redactor?.(parameters);
  if (becomes === undefined || !made) return;
  const left = (said: readonly (string | null)[]) => texts.map((one, at) => said[at] ?? one);
  const each = redactedTexts(texts, () => check.redactor?.(parameters) ?? made).texts;
  // Some number what they find, over all texts of a part.
  const together = redactedTexts(texts, () => made).texts;
  expect([left(each), left(together)], "what the redactor makes of it in streams").toContainEqual(
    left([becomes].flat()),
  );
}

async function outcomeOf<Parameters extends z.ZodObject>(
  check: Check<Parameters>,
  row: CheckRow<Parameters>,
  tools: CheckTools,
): Promise<CheckResult | CheckError> {
  const parameters = check.parameters.parse(row.parameters ?? {});
  const refused = check.refuse?.(parameters);
  if (refused !== undefined) return new CheckError(refused);
  const input = inputOf(check as unknown as Check, row);
  if (check.needsText && input.text === "") return new CheckError("request or response JSON is empty");
  try {
    return await check.run(input, parameters, tools);
  } catch (error) {
    if (error instanceof CheckError) return error;
    throw error;
  }
}

function inputOf(
  check: Check,
  { text, texts = text === undefined ? [] : [text], target, subject }: CheckRow,
): CheckInput {
  const whole = texts.filter((part) => part !== "").join("\n");
  return {
    text: whole,
    texts,
    target: target ?? check.targets?.[0] ?? "request",
    ...(subject && { subject: subjectOf(subject, whole) }),
  };
}

function subjectOf(
  { request, response, body, status = 200, streams = false, ...given }: TriedSubject,
  text: string,
): CheckSubject {
  const seen = { text, transformed: false };
  return {
    exchange: { traceId: "trace-1", headers: given.headers ?? {}, metadata: given.metadata ?? {} } as Exchange,
    requestType: "chatComplete",
    provider: "openai",
    model: undefined,
    metadata: {},
    headers: {},
    ...given,
    request: { ...seen, json: request, body, streams },
    ...(response !== undefined && { response: { ...seen, json: response, body: response as never, status } }),
  };
}

/** Tools over the calls of a row. */
function toolsFor(row: CheckRow, asked: CheckRequest[], called: InternalCall<OperationName>[]): CheckTools {
  const remembered = new Map<string, unknown>();
  return {
    credentials: row.credentials ?? {},
    trusted: true,
    ask: async (request) => {
      asked.push(request);
      return answered(row.asks?.[asked.length - 1], request);
    },
    async call<Operation extends OperationName>(call: InternalCall<Operation>): Promise<InternalAnswer<Operation>> {
      called.push(call);
      return { response: said(row.calls?.[called.length - 1]) as ResponseOf<Operation> };
    },
    forwarded: {},
    recall: <Value>(key: string) => remembered.get(key) as Value | undefined,
    remember: (key, value) => void remembered.set(key, value),
    now: () => Date.UTC(2026, 0, 5, 10),
  };
}

function answered(call: TriedCall | undefined, { redirections }: CheckRequest): CheckAnswer {
  if (!call) throw new Error("the row does not say what this call answers");
  const { status = 200, location, answer, bytes, silent } = call;
  if (silent) throw new CheckError("Request timed out.", { label: "TimeoutError" });
  if (location !== undefined && redirections) return { status, headers: { location }, json: undefined };
  if (status < 200 || status > 299)
    throw new CheckError(`HTTP error! status: ${status}`, { label: "HttpError", data: { status, body: answer } });
  return { status, headers: {}, json: answer, ...(bytes !== undefined && { bytes: Buffer.from(bytes, "base64") }) };
}

function said(model: TriedModel | undefined): ChatResponse {
  if (!model) throw new Error("the row does not say what this model answers");
  const { says = "", finishReason = "stop", error } = model;
  if (error !== undefined) throw new GatewayError("upstream_failed", error);
  return { choices: [{ index: 0, content: [{ type: "text", text: says }], finishReason }] };
}
