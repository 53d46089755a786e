import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { temporaryFolder } from "../../core/cli/testing.ts";
import {
  type DoneWork,
  type Exchange,
  type Format,
  type OwnRoad,
  type Principal,
  type RehearsedRequest,
  type RoadRequest,
  recordStore,
} from "../../core/index.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import { BlobFolder } from "../blobs-folder/folder.ts";
import { KeptFiles } from "../managed-files/kept-files.ts";
import type { Clock } from "./clock.ts";
import { type AskedBatch, type BatchDocument, batchPrefix, newBatch } from "./document.ts";
import { HeaderKeeper } from "./gateway-options.ts";
import { run } from "./run.ts";
import { BatchStore, HeldBatch } from "./store.ts";
import type { BatchOptions, Working } from "./working.ts";

/** A clock for tests. Who waits does so until `advance`, or not at all where `passes`: then time goes by at once. */
export class TestClock implements Clock {
  time = Date.UTC(2026, 0, 1);
  /** What was waited for so far. */
  readonly waits: number[] = [];
  passes = true;
  readonly #waiting = new Set<{ readonly until: number; readonly over: () => void }>();

  now = (): number => this.time;

  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    this.waits.push(milliseconds);
    if (signal.aborted) return Promise.resolve();
    if (this.passes) {
      this.time += milliseconds;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const one = {
        until: this.time + milliseconds,
        over: () => {
          this.#waiting.delete(one);
          signal.removeEventListener("abort", one.over);
          resolve();
        },
      };
      this.#waiting.add(one);
      signal.addEventListener("abort", one.over, { once: true });
    });
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
    for (const one of this.#waiting) if (one.until <= this.time) one.over();
  }
}

export interface Spoken {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is known of the exchange. */
  readonly exchange?: Partial<Exchange>;
}

/** What is said to a request; it may take its time. */
export type Speak = (request: RoadRequest, body: string) => Spoken | Promise<Spoken>;

export const principal: Principal = { id: "ana", organisation: "acme", workspace: "one" };
const tenant = JSON.stringify(["workspace", "acme", "one"]);

/** The stores of a deployment, and a road on which tests answer. */
export function openBatches(speak: Speak, options: Partial<BatchOptions> = {}) {
  const clock = new TestClock();
  const log = keepingLogger();
  const records = recordStore(new MemoryRecords(), log, clock.now);
  const blobs = new BlobFolder(temporaryFolder({}));
  const files = new KeptFiles(records, blobs, clock.now);
  const store = new BatchStore(records, clock.now);
  const asked: { readonly request: RoadRequest; readonly body: string }[] = [];
  const accounts: DoneWork[] = [];
  const rehearsals: RehearsedRequest[] = [];
  const behave: Behaviour = {
    rehearse: async () => ({ status: 200 }),
    account: async () => ({ provider: "acme", cost: { amount: "0.5", currency: "USD", source: "test" } }),
    today: async (one) => one,
  };
  const working: Working = {
    own: {
      send: async (request) => {
        let body = "";
        for await (const piece of bodyOf(request)) body += piece;
        asked.push({ request, body });
        return answered(request, await speak(request, body));
      },
      rehearse: async (request) => {
        rehearsals.push(request);
        return behave.rehearse(request);
      },
      account: async (work) => {
        accounts.push(work);
        return behave.account(work);
      },
    },
    blobs,
    files,
    headers: new HeaderKeeper(undefined),
    keys: { today: (one) => behave.today(one) },
    formatAt: () => ({ readUsage: usageIn }) as Pick<Format, "readUsage"> as Format,
    clock,
    log,
    options: { maxLines: 1000, groupLines: 25, groupInterval: 5_000, retries: 3, statusInterval: 10_000, ...options },
  };
  /** Keeps a batch over these lines, which nobody works on yet. */
  const made = async (lines: readonly (object | string)[], more: Partial<AskedBatch> = {}, of = tenant) => {
    const text = lines.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("");
    const file = await files.add(of, once(text), () => ({
      filename: "a.jsonl",
      purpose: "batch",
      content_type: "application/jsonl",
      lifetime: undefined,
    }));
    const id = `${batchPrefix}${randomUUID()}`;
    const base = { endpoint: "/v1/chat/completions", completionWindow: "immediate", own: {} } as const;
    const headers = JSON.stringify({ "x-gateway-trace-id": id, "x-gateway-provider": "acme" });
    const document = newBatch({ asked: { inputFileId: file.id, ...base, ...more }, principal, headers }, clock.time);
    return store.insert({ tenant: of, id, document });
  };
  const seen = async (id: string, of = tenant): Promise<BatchDocument> => {
    const found = await store.get({ tenant: of, id });
    if (!found) throw new Error(`${id} is gone`);
    return found.document;
  };
  /** Works on a batch as a process of this name would. */
  const work = async (id: string, holder = "one", stop = new AbortController()) => {
    const found = await store.get({ tenant, id });
    const claimed = found && (await store.claim(found, holder, 60_000));
    if (!claimed) throw new Error("somebody else works on it");
    const batch = new HeldBatch(claimed, { store, holder, lease: 60_000, now: clock.now });
    const { signal } = stop;
    await run({ working, batch, signal, leaving: signal, aside: (doing) => doing(), isTurnOver: () => false });
    return seen(id);
  };
  const linesOf = async (id: string | undefined): Promise<OutputLine[]> => {
    const file = id === undefined ? undefined : await files.find(tenant, id);
    if (!file) return [];
    const text = await textOf(await files.read(file));
    return text
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one));
  };
  return {
    clock,
    log,
    store,
    files,
    blobs,
    working,
    asked,
    accounts,
    rehearsals,
    behave,
    made,
    seen,
    work,
    linesOf,
    tenant,
  };
}

interface Behaviour {
  rehearse: OwnRoad["rehearse"];
  account: OwnRoad["account"];
  today: (principal: Principal) => Promise<Principal | undefined>;
}

interface OutputLine {
  readonly id: string;
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body: Record<string, unknown>;
  };
  readonly error: unknown;
}

export const line = (customId: string, text = "Hi", more: object = {}) => ({
  custom_id: customId,
  method: "POST",
  url: "/v1/chat/completions",
  body: { model: "m", messages: [{ role: "user", content: text }] },
  ...more,
});

/** So many of them: `r-1`, `r-2`, … */
export const lines = (count: number) => Array.from({ length: count }, (_, at) => line(`r-${at + 1}`, `${at + 1}`));

const usageIn = (wire: unknown) => {
  const { usage } = wire as { usage?: { prompt_tokens: number; completion_tokens: number } };
  return usage && { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens };
};

const bodyOf = ({ body }: RoadRequest): Iterable<unknown> | AsyncIterable<unknown> =>
  body === undefined ? [] : Buffer.isBuffer(body) ? [body] : body;

function answered(request: RoadRequest, { status = 200, json, text, headers = {}, exchange }: Spoken) {
  if (request.signal?.aborted) throw new Error("cut off");
  const bytes = Buffer.from(text ?? JSON.stringify(json ?? {}));
  const settled = { id: randomUUID(), attempts: [], ending: "complete", ...exchange } as unknown as Exchange;
  return {
    status,
    headers,
    exchange: settled,
    body: Readable.from(inPieces(bytes), { objectMode: false }),
    over: Promise.resolve(settled),
  };
}

/** Answers come as they please, in the middle of a character too. */
const inPieces = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / 5) }, (_, at) => bytes.subarray(at * 5, at * 5 + 5));

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
