import type { ServerResponse } from "node:http";
import type { Format } from "../model/format.ts";
import type { OperationSpec } from "../model/operation-spec.ts";
import type { OperationName, RequestOf } from "../model/operations.ts";
import type { Usage } from "../model/usage.ts";
import { withoutUrlFields } from "../pipeline/request/sent-body.ts";
import type { Case, Subject } from "./cases.ts";
import { type ClientAnswer, type ClientCall, post } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import type { Fixture } from "./fixtures.ts";
import { holds } from "./holds.ts";
import { clientKey, type Inspected, inspect } from "./inspect.ts";
import { contextOf } from "./speaking.ts";
import type { MockVendor } from "./vendor.ts";

/** Everything one row of the table is made with. */
export interface Trial {
  readonly deployment: Deployment;
  readonly vendor: MockVendor;
  readonly operation: OperationName;
  readonly kase: Case;
  readonly spec: OperationSpec;
  /** The format the provider speaks, and the client's. */
  readonly format: Format;
  readonly client: Format;
  /** Where clients of that format call; not for formats whose URL says the model. */
  readonly clientPath: string;
  readonly model: string;
  readonly anonymous: boolean;
  readonly fixtures: readonly Fixture[];
  /** Milliseconds any exchange may take. */
  readonly deadline: number;
}

/** How the mock answers a request it has looked at. */
export type Answering = (response: ServerResponse, inspected: Inspected) => void;

/** One exchange, seen from both ends. */
export interface Seen {
  readonly answer: ClientAnswer;
  /** Absent when the vendor was not called. */
  readonly inspected: Inspected | undefined;
  /** What the gateway recorded. */
  readonly usage: Usage | undefined;
  /** Fields that the client is told were lost. */
  readonly dropped: readonly string[];
  /** What is wrong with the call to the vendor. */
  readonly problems: readonly string[];
}

/** Sends the client's request; the mock answers as it is told. */
export function begin(trial: Trial, subject: Subject, stream: boolean, answering: Answering) {
  const { deployment, vendor, spec, format, model, anonymous, kase, deadline } = trial;
  const state: { inspected?: Inspected } = {};
  vendor.play((request, response) => {
    const inspected = inspect(request, {
      provider: deployment.provider,
      shownIn: deployment.shownIn,
      anonymous,
      format,
      spec,
      model,
      stream,
      markers: kase.markers(subject),
    });
    state.inspected ??= inspected;
    answering(response, inspected);
  });
  const recorded = deployment.nextRecord();
  const { path, body } = requestOf(trial, kase.request(subject, model, stream));
  const headers = { authorization: `Bearer ${clientKey}`, "x-api-key": clientKey };
  const call: ClientCall = post(deployment.url + path, headers, body, deadline);
  return { call, recorded, state };
}

/** The same, to the end of the exchange. */
export async function ask(trial: Trial, subject: Subject, stream: boolean, answering: Answering): Promise<Seen> {
  const { call, recorded, state } = begin(trial, subject, stream, answering);
  const answer = await call.answer;
  const usage = await within(recorded, trial.deadline, "the gateway recorded nothing of it");
  const { inspected } = state;
  const dropped = String(answer.headers["x-gateway-dropped-params"] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const problems = inspected
    ? [...inspected.problems, ...inspected.missing.map((what) => `${what} did not arrive at the vendor`)]
    : [`the vendor was not called; the client was answered ${excerpt(answer)}`];
  return { answer, inspected, usage, dropped, problems };
}

/** A canonical request as a client of the row's format sends it. */
function requestOf({ client, clientPath }: Trial, request: RequestOf<OperationName>): { path: string; body: unknown } {
  const wire = client.encodeRequest(request, ignored);
  const path = client.upstream?.path;
  if (!client.readUrl || typeof path !== "function") return { path: clientPath, body: wire };
  const { model, stream = false } = request as { model: string; stream?: boolean };
  const body = withoutUrlFields(wire);
  return { path: path({ model, stream, fields: new Set(Object.keys(body)) }), body };
}

/** Whether a format has words for a subject, in questions and in answers. */
export function canSay({ kase, model }: Trial, format: Format, subject: Subject): boolean {
  if (!kase.subjects.includes(subject)) return false;
  try {
    const request = format.decodeRequest(format.encodeRequest(kase.request(subject, model, false), ignored));
    const response = kase.response(subject, model);
    const wire = format.encodeResponse(response, contextOf({ model, includeUsage: true, asked: undefined }));
    return (
      kase.markers(subject).every(({ place, text }) => holds(place(request), text)) &&
      JSON.stringify(kase.essence(format.decodeResponse(wire))) === JSON.stringify(kase.essence(response))
    );
  } catch {
    return false;
  }
}

/** What a client was answered, for a message: status and the beginning of the body. */
export const excerpt = ({ status, bytes }: ClientAnswer): string => {
  const text = bytes.toString().replaceAll(/\s+/g, " ");
  return `${status} ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`;
};

/** Rejects with the reason when the promise takes too long. */
export async function within<Value>(promise: Promise<Value>, milliseconds: number, reason: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${reason} within ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function ignored(): void {}
