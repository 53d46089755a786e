import { expect } from "vitest";
import type { BatchDocument } from "../../plugins/managed-batches/document.ts";
import { type Fleet, tenant, type Watched } from "./fleet.ts";

interface Line {
  readonly custom_id: string;
  readonly response: { readonly status_code: number; readonly body: { readonly token?: string } };
}

/** What docs/batches.md promises of a batch, once everything is over. */
export async function checkBatch(fleet: Fleet, one: Watched): Promise<void> {
  const document = await fleet.documentOf(one);
  const { status, counts, outputFileId, errorFileId } = document;
  expect({ active: document.active, lease: document.lease }).toEqual({ active: false, lease: null });
  expect(whyNot(fleet, one, document)).toBeUndefined();
  const [output, error] = [await linesOf(fleet, outputFileId), await linesOf(fleet, errorFileId)];
  const ids = [...output, ...error].map(({ custom_id }) => custom_id).sort();
  expect(ids).toEqual([...new Set(ids)]);
  const isWhole = status === "completed";
  if (isWhole) expect(ids).toEqual(Array.from({ length: one.lines }, (_, at) => `r-${at + 1}`).sort());
  if (isWhole || one.window === "immediate")
    expect([counts.completed, counts.failed]).toEqual([output.length, error.length]);
  if (one.window === "immediate") checkLines(fleet, one, document, [...output, ...error]);
  else checkJob(fleet, one, document);
  // What nobody could remove stays where it is.
  const isLeft = one.isGivenUp || fleet.processes.some(({ isDead, wasFrozen }) => isDead && wasFrozen);
  if (!isLeft) expect([...fleet.blobs.keys()].filter((key) => key.includes(partsOf(one)))).toEqual([]);
}

function checkLines(fleet: Fleet, one: Watched, { used }: BatchDocument, lines: readonly Line[]): void {
  const tokens: string[] = [];
  for (const { custom_id, response } of lines) {
    const { token } = response.body;
    // What was cut off has no name.
    if (token === undefined) return;
    const sent = fleet.lines.sent.find((other) => other.token === token);
    expect([sent?.batch, `r-${sent?.line}`, sent?.status]).toEqual([one.id, custom_id, response.status_code]);
    tokens.push(token);
  }
  const { inputTokens, totalTokens, cost } = used;
  expect({ inputTokens, totalTokens, cost }).toEqual(fleet.lines.used(tokens));
}

function checkJob(fleet: Fleet, { id }: Watched, { status, used }: BatchDocument): void {
  const { vendor } = fleet;
  expect(vendor.asked.get(id) ?? 0).toBeLessThanOrEqual(1);
  const accounts = vendor.accounts.get(id) ?? [];
  expect(accounts.length).toBeLessThanOrEqual(1);
  const job = vendor.jobs.get(id);
  if (status !== "completed" || !job) return;
  const good = job.rows.filter(({ isGood }) => isGood);
  expect(used.inputTokens).toBe(good.reduce((sum, { tokens }) => sum + tokens, 0));
  // What nobody knows whether it was counted has no cost that anybody knows.
  if (accounts.length === 0 && good.length > 0) expect(used.cost).toBeUndefined();
}

/** Why it should not have ended like this. */
function whyNot({ vendor }: Fleet, one: Watched, { status, errors }: BatchDocument): string | undefined {
  const said = vendor.jobs.get(one.id)?.ending;
  const code = errors?.[0]?.code;
  const mayBe: Record<string, boolean> = {
    completed: true,
    cancelled: one.isCancelled || said === "cancelled",
    expired: said === "expired",
    "failed invalid_api_key": one.wasArchived,
    "failed file_not_found": one.isRemoved,
    "failed internal": one.isGivenUp,
    "failed batch_failed": said === "failed",
    "file_upload_failed file_upload_failed": one.window === "24h",
    "batch_start_failed batch_start_failed": one.window === "24h",
    "batch_start_failed batch_start_unknown": one.window === "24h",
  };
  const ended = code === undefined ? status : `${status} ${code}`;
  return mayBe[ended] ? undefined : ended;
}

async function linesOf(fleet: Fleet, id: string | undefined): Promise<Line[]> {
  if (id === undefined) return [];
  const file = await fleet.files.find(tenant, id);
  const text = `${fleet.blobs.get(`files/${id}`)}`;
  expect(file?.bytes).toBe(Buffer.byteLength(text));
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const partsOf = ({ id }: Watched): string => `batches/${id.slice("gw_batch_".length)}`;

/** Bytes of files belong to records of files. */
export async function checkFiles(fleet: Fleet): Promise<void> {
  for (const key of fleet.blobs.keys())
    if (key.startsWith("files/")) expect(await fleet.files.find(tenant, key.slice("files/".length))).toBeDefined();
}
