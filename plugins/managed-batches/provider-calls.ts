import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Fields, isRecord, jsonOr, type RoadAnswer } from "../../core/index.ts";
import { prefixOf } from "./gateway-options.ts";
import type { Work } from "./working.ts";

/** What a provider said to a call for a batch. */
export interface Said {
  readonly status: number;
  readonly json: Readonly<Fields>;
  /** Its name. */
  readonly provider: string | undefined;
}

export type Headers = Readonly<Record<string, string>>;

/** A call on behalf of a batch that was let in: nothing counts it once more. */
async function sent(
  { working, batch, signal }: Work,
  call: { method: string; path: string; headers: Headers; body?: Buffer | Readable },
): Promise<RoadAnswer> {
  const { principal } = batch.document;
  return working.own.send({ ...call, principal, source: "batch", internal: true, signal });
}

async function said(answer: RoadAnswer, headers: Headers): Promise<Said> {
  const json = jsonOr(await text(answer.body));
  const provider = answer.headers[`${prefixOf(headers)}provider`];
  return {
    status: answer.status,
    json: isRecord(json) ? json : {},
    provider: typeof provider === "string" ? provider : undefined,
  };
}

export async function getJson(work: Work, path: string, headers: Headers): Promise<Said> {
  return said(await sent(work, { method: "GET", path, headers }), headers);
}

export async function postJson(work: Work, path: string, headers: Headers, body: object): Promise<Said> {
  const type = { "content-type": "application/json" };
  return said(
    await sent(work, {
      method: "POST",
      path,
      headers: { ...headers, ...type },
      body: Buffer.from(JSON.stringify(body)),
    }),
    headers,
  );
}

/** Bytes as they come. Throws where there are none to be had. */
export async function getBytes(work: Work, path: string, headers: Headers): Promise<AsyncIterable<Buffer>> {
  const answer = await sent(work, { method: "GET", path, headers });
  if (answer.status === 200) return answer.body;
  const { json } = await said(answer, headers);
  throw new NoBytes(messageIn(json) ?? `GET ${path} was answered ${answer.status}`, answer.status);
}

/** A provider has something else to say. */
export class NoBytes extends Error {
  override readonly name = "NoBytes";
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Uploads lines as a file of a batch, without holding them. */
export async function upload(
  work: Work,
  headers: Headers,
  file: { readonly name: string; readonly bytes: AsyncIterable<Buffer> },
): Promise<Said> {
  const boundary = `sluice-${randomUUID()}`;
  const type = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const body = Readable.from(form(boundary, file), { objectMode: false });
  return said(await sent(work, { method: "POST", path: "/v1/files", headers: { ...headers, ...type }, body }), headers);
}

async function* form(
  boundary: string,
  { name, bytes }: { readonly name: string; readonly bytes: AsyncIterable<Buffer> },
): AsyncGenerator<Buffer> {
  const part = `--${boundary}\r\nContent-Disposition: form-data; name=`;
  yield Buffer.from(
    `${part}"purpose"\r\n\r\nbatch\r\n${part}"file"; filename="${name}"\r\nContent-Type: application/jsonl\r\n\r\n`,
  );
  yield* bytes;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** What an error body says. */
export function messageIn({ error }: Readonly<Fields>): string | undefined {
  return isRecord(error) && typeof error.message === "string" ? error.message : undefined;
}
