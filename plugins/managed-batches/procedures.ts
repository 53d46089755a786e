import { randomUUID } from "node:crypto";
import {
  type Batch,
  type BatchRequest,
  type ByteAnswer,
  type Exchange,
  fileLifetimes,
  GatewayError,
  type ItemPage,
  isFileLifetime,
  isRecord,
  itemPage,
  type ManagedFilesService,
  managedFilePrefix,
  mustBe,
  type PageQuery,
  type Principal,
  type ProcedureTable,
  storeDown,
  tenantOf,
} from "../../core/index.ts";
import { type AskedBatch, batchPrefix, isOver, newBatch, shownBatch } from "./document.ts";
import { type HeaderKeeper, headersIn } from "./gateway-options.ts";
import type { BatchRecord, BatchStore } from "./store.ts";

export interface ProcedureParts {
  readonly store: BatchStore;
  readonly files: ManagedFilesService;
  readonly headers: HeaderKeeper;
  readonly now: () => number;
  /** There is work to do. */
  readonly begun: () => void;
}

/** What a client asks of batches, answered from those that are kept here. */
export function batchProcedures(parts: ProcedureParts, exchange: Exchange): ProcedureTable {
  const { store } = parts;
  const principal = exchange.principal ?? { id: "" };
  const tenant = tenantOf(principal);
  const found = async (id: string): Promise<BatchRecord> =>
    (await known(store, tenant, id)) ?? refuse("item_unknown", `There is no batch "${id}".`, "id");
  return {
    async createBatch(request) {
      const batch = await created(parts, exchange, principal, request);
      parts.begun();
      return shownBatch(batch.id, batch.document, { hook_results: placeholder(batch.id) });
    },
    listBatches: (query) => page(store, tenant, query),
    async retrieveBatch({ id }) {
      const { document } = await found(id);
      const wantsDetails = /[?&]include_provider_details=true(?:&|$)/.test(exchange.url);
      return shownBatch(id, document, wantsDetails ? { provider_batch: document.job.seen ?? null } : undefined);
    },
    async getBatchOutput({ id }) {
      return output(parts.files, tenant, await found(id));
    },
    async cancelBatch({ id }) {
      const cancelled = await cancel(parts, await found(id));
      parts.begun();
      return cancelled;
    },
  };
}

const known = (store: BatchStore, tenant: string, id: string): Promise<BatchRecord | undefined> =>
  id.startsWith(batchPrefix) && id.length <= 64
    ? store.get({ tenant, id }).catch(storeDown)
    : Promise.resolve(undefined);

/** Stands for what guardrails will say (guardrails.md section 9.1). */
const placeholder = (id: string) => ({
  before_request_hooks: [],
  after_request_hooks: [{ verdict: true, id: `${id}-dataservice`, type: "guardrail", deny: false }],
});

async function created(
  { store, files, headers, now }: ProcedureParts,
  exchange: Exchange,
  principal: Principal,
  request: BatchRequest,
): Promise<BatchRecord> {
  const tenant = tenantOf(principal);
  const { asked, options } = read(request);
  if (!(await files.find(tenant, asked.inputFileId)))
    refuse("invalid_request", `input_file_id names no file of yours: "${asked.inputFileId}".`, "input_file_id");
  const id = `${batchPrefix}${randomUUID()}`;
  const kept = await headers.kept(tenant, id, headersIn(options, exchange, id));
  const document = newBatch({ asked, principal: withoutCredential(principal), headers: kept }, now());
  return store.insert({ tenant, id, document }).catch(storeDown);
}

/** Where the credential stood is nobody's business any more: nothing is sent with it. */
function withoutCredential({ credentialHeaders: _, credentialParameters: __, ...principal }: Principal): Principal {
  return principal;
}

const windows = ["24h", "immediate"] as const;
type Window = (typeof windows)[number];
const isWindow = (given: string | undefined): given is Window => windows.some((one) => one === given);

function read(request: BatchRequest): { readonly asked: AskedBatch; readonly options: unknown } {
  const { inputFileId, endpoint, completionWindow, model, metadata, requests, own } = request;
  if (requests) refuse("invalid_request", "requests must be absent: batches of the gateway read a file.", "requests");
  if (inputFileId === undefined || !inputFileId.startsWith(managedFilePrefix))
    refuse(
      "invalid_request",
      `${mustBe("input_file_id", `an id that begins ${managedFilePrefix}`, inputFileId)}.`,
      "input_file_id",
    );
  if (endpoint === undefined) refuse("invalid_request", "endpoint is required.", "endpoint");
  if (!isWindow(completionWindow))
    refuse(
      "invalid_request",
      `${mustBe("completion_window", windows.join(" or "), completionWindow)}.`,
      "completion_window",
    );
  const { gateway_options: options, output_expires_after: expires, ...rest } = own;
  const outputLifetime = lifetimeOf(expires);
  return {
    options,
    asked: {
      inputFileId,
      endpoint,
      completionWindow,
      own: rest,
      ...(model !== undefined && { model }),
      ...(metadata && { metadata }),
      ...(outputLifetime !== undefined && { outputLifetime }),
    },
  };
}

function lifetimeOf(expires: unknown): number | undefined {
  if (expires === undefined || expires === null) return undefined;
  const seconds = isRecord(expires) ? expires.seconds : undefined;
  if (isFileLifetime(seconds)) return seconds;
  return refuse(
    "invalid_request",
    `${mustBe("output_expires_after.seconds", fileLifetimes, seconds)}.`,
    "output_expires_after",
  );
}

/** Newest first, as with OpenAI. */
const page = (store: BatchStore, tenant: string, { limit = 20, after }: PageQuery): Promise<ItemPage<Batch>> =>
  itemPage(store.all(tenant), { limit, after }, "batch of yours", ({ id, document }) => shownBatch(id, document)).catch(
    storeDown,
  );

/** Where every line failed, all there is are errors. */
async function output(files: ManagedFilesService, tenant: string, { document }: BatchRecord): Promise<ByteAnswer> {
  const { status, outputFileId, errorFileId } = document;
  const id = outputFileId ?? errorFileId;
  if (id === undefined)
    refuse("invalid_request", `The batch is ${status}: it has an output when it is completed.`, "batch_id");
  const file = await files.find(tenant, id);
  if (!file) refuse("item_unknown", `The output of the batch, "${id}", is no longer there.`, "batch_id");
  return { contentType: "application/octet-stream", length: file.bytes, content: await files.read(file) };
}

async function cancel({ store, now }: ProcedureParts, { tenant, id }: BatchRecord): Promise<Batch> {
  const cancelled = await store
    .change({ tenant, id }, (document) =>
      isOver(document) || document.status === "cancelling"
        ? undefined
        : { status: "cancelling", times: { ...document.times, cancellingAt: Math.floor(now() / 1000) } },
    )
    .catch(storeDown);
  if (!cancelled) refuse("item_unknown", `There is no batch "${id}".`, "id");
  const { status } = cancelled.document;
  if (isOver(cancelled.document) && status !== "cancelled")
    refuse("invalid_request", `The batch is ${status}: it cannot be cancelled any more.`, "batch_id");
  return shownBatch(id, cancelled.document);
}

function refuse(code: "item_unknown" | "invalid_request", message: string, param: string): never {
  throw new GatewayError(code, message, { param });
}
