import { refuse } from "../../codec-kit/fields/refusal.ts";
import { compact, type Fields, isRecord } from "../../codec-kit/records.ts";
import { raise } from "../../errors/gateway-error.ts";
import type { Batch, BatchRequest, BatchStatus } from "../../model/batch.ts";
import type { ProcedureTable, Vendor } from "../../model/procedure.ts";
import type { ItemPage } from "../../model/stored-file.ts";
import { unixSeconds } from "../unix-seconds.ts";
import { outputOf } from "./batch-output.ts";

const path = "/messages/batches";
const batchPath = (id: string): string => `${path}/${encodeURIComponent(id)}`;

/** The numbers of a batch, where all of them are there. */
interface Numbers {
  readonly processing: number;
  readonly succeeded: number;
  readonly errored: number;
  readonly canceled: number;
  readonly expired: number;
}

function numbersIn(value: unknown): Numbers | undefined {
  if (!isRecord(value)) return undefined;
  const { processing, succeeded, errored, canceled, expired } = value;
  const all = [processing, succeeded, errored, canceled, expired];
  if (!all.every((one) => typeof one === "number")) return undefined;
  return value as unknown as Numbers;
}

const totalOf = ({ processing, succeeded, errored, canceled, expired }: Numbers): number =>
  processing + succeeded + errored + canceled + expired;

/** How a batch has ended, by what became of its requests (providers.md section 6.8). */
function endingOf(numbers: Numbers | undefined): BatchStatus {
  if (!numbers || numbers.succeeded > 0) return "completed";
  if (numbers.canceled > 0) return "cancelled";
  if (numbers.expired > 0) return "expired";
  return numbers.errored > 0 ? "failed" : "completed";
}

function statusOf(status: unknown, numbers: Numbers | undefined): BatchStatus {
  if (status === "in_progress") return "in_progress";
  if (status === "canceling") return "cancelling";
  if (status === "ended") return endingOf(numbers);
  return raise("upstream_invalid", `The batch has a status nobody knows: ${JSON.stringify(status)}.`);
}

const endings = {
  completed: "completedAt",
  failed: "failedAt",
  expired: "expiredAt",
  cancelled: "cancelledAt",
} as const;

const endingIn = (status: BatchStatus): (typeof endings)[keyof typeof endings] | undefined =>
  status in endings ? endings[status as keyof typeof endings] : undefined;

function batchOf(wire: Fields): Batch {
  if (typeof wire.id !== "string") return raise("upstream_invalid", "The answer is not a batch: it has no id.");
  const numbers = numbersIn(wire.request_counts);
  const status = statusOf(wire.processing_status, numbers);
  const ended = endingIn(status);
  const created = unixSeconds(wire.created_at);
  return {
    id: wire.id,
    status,
    endpoint: "/v1/batches",
    completionWindow: "24h",
    ...compact({
      createdAt: created,
      inProgressAt: created,
      expiresAt: unixSeconds(wire.expires_at),
      cancellingAt: unixSeconds(wire.cancel_initiated_at),
      counts: numbers && { total: totalOf(numbers), completed: numbers.succeeded, failed: numbers.errored },
    }),
    ...(ended && compact({ [ended]: unixSeconds(wire.ended_at) })),
    more: compact({ results_url: wire.results_url }),
  };
}

/** The requests are in the batch itself: `[{custom_id, params}]`. */
function bodyOf({ requests, inputFileId, completionWindow, metadata, own }: BatchRequest, vendor: Vendor): Fields {
  if (completionWindow !== undefined && completionWindow !== "24h")
    refuse("completion_window", '"24h"', completionWindow);
  if (requests) {
    const others = compact({ metadata, input_file_id: inputFileId, ...own });
    for (const name of Object.keys(others)) vendor.report(name);
    return { requests };
  }
  const said = inputFileId === undefined ? undefined : { input_file_id: inputFileId };
  return refuse("requests", `a list of {custom_id, params}: ${vendor.name} takes no file of them`, said);
}

/** Batches of whoever serves the Messages API as its maker does. */
export const messageBatches: ProcedureTable = {
  async createBatch(request, vendor) {
    const json = bodyOf(request, vendor);
    return batchOf(await (await vendor.call({ method: "POST", path, json })).json());
  },

  async listBatches({ limit, after }, vendor): Promise<ItemPage<Batch>> {
    const query = { limit, after_id: after };
    const { data, has_more: more } = await (await vendor.call({ method: "GET", path, query })).json();
    return { data: Array.isArray(data) ? data.filter(isRecord).map(batchOf) : [], hasMore: more === true };
  },

  async retrieveBatch({ id }, vendor) {
    return batchOf(await (await vendor.call({ method: "GET", path: batchPath(id) })).json());
  },

  async cancelBatch({ id }, vendor) {
    return batchOf(await (await vendor.call({ method: "POST", path: `${batchPath(id)}/cancel` })).json());
  },

  getBatchOutput: outputOf,
};
