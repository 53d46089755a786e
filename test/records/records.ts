import { expect } from "vitest";
import type { LogRow } from "../../core/index.ts";
import { leafAt, type Step } from "./asked.ts";
import { leafOf, type Told } from "./taking.ts";
import { type Behaves, behaves, type VendorCall } from "./vendor.ts";
import { type Line, providers, type Slug } from "./world.ts";

/** What is no answer, or breaks off. */
const failing: ReadonlySet<Behaves> = new Set(["fails", "breaks", "refuses", "cuts", "cuts-at-once", "babbles"]);

export const isHit = ({ cache_status }: LogRow): boolean => cache_status?.endsWith("HIT") === true;
/** How many images there are is what was used, which the answer tells by having them. */
const isImage = ({ endpoint_type }: LogRow): boolean => endpoint_type === "imageGenerate";
const isEmbedding = ({ endpoint_type }: LogRow): boolean => endpoint_type === "embed";

/** What passes as it came is read by nobody. */
const isUnread = ({ is_proxy_call, ai_model }: LogRow): boolean =>
  is_proxy_call && behaves(ai_model ?? "") === "babbles";

export interface Seen {
  readonly rows: readonly LogRow[];
  readonly lines: readonly Line[];
  readonly calls: readonly VendorCall[];
}

/** Exact: rows have cents with ten decimal places. */
export const picodollars = (cents: number | null): bigint => BigInt(Math.round((cents ?? 0) * 1e10));
export const total = (rows: readonly LogRow[]): bigint => rows.reduce((sum, { cost }) => sum + picodollars(cost), 0n);

/** What has to hold of each record by itself, and of what the vendor knows of it. */
export function expectTrueRows({ rows, lines, calls }: Seen): void {
  for (const row of rows) {
    const said = JSON.stringify(row);
    const called = calls.filter(({ model }) => model === row.ai_model);
    const own = lines.find(({ request }) => request === row.internal_trace_id);
    expect(own, `a line for ${said}`).toBeDefined();
    // Of a provider that there is none of, the gateway's own path is all that was called.
    expect(row.request_url, said).toMatch(row.provider_slug ? `/${row.provider_slug}` : /^\/v1\//);
    if (row.is_success) expect(row.response_status_code >= 200 && row.response_status_code < 300, said).toBe(true);
    const does = behaves(row.ai_model ?? "");
    if (failing.has(does) && !isUnread(row)) expect(row.is_success, said).toBe(false);
    if (row.id === row.internal_trace_id && own?.ending !== "complete") expect(row.is_success, said).toBe(false);
    expect(
      [row.req_units, row.res_units].some((units) => units !== null),
      said,
    ).toBe(row.total_units !== null);
    if (row.total_units !== null) expect(row.total_units).toBe((row.req_units ?? 0) + (row.res_units ?? 0));
    if (isHit(row)) expect([row.cost, row.total_units, row.cache_savings === 0], said).toEqual([0, 0, false]);
    else expect(row.cache_savings, said).toBe(0);
    const isAnswered = row.is_success && !isHit(row);
    if (isAnswered) {
      // Nobody answers whom nobody asked; and what was answered was used, whether or not anybody knows how much.
      expect(called.length, said).toBeGreaterThan(0);
      expect(row.cost, said).not.toBe(0);
      expect(row.total_units, said).not.toBe(0);
    }
    if (row.usage_source === null && row.total_units !== 0) expect(row.total_units, said).toBeNull();
    if (row.usage_source === null && row.total_units === 0 && !isHit(row))
      expect(row.is_success, `nobody was asked: ${said}`).toBe(false);
    if (!isImage(row)) {
      if (row.usage_source === "provider")
        expect(
          called.some(({ told }) => told),
          said,
        ).toBe(true);
      if (does === "keeps" || does === "cuts") expect(row.usage_source, said).not.toBe("provider");
    }
    const slug = row.provider_slug as Slug | null;
    if (slug !== null && row.total_units !== 0 && Object.hasOwn(providers, slug) && !providers[slug].priced)
      expect([null, 0], said).toContain(row.cost);
    if (row.cost === null) expect(row.cost_source, said).toBeNull();
  }
}

/** Each exchange has one line, and one record with its id, which say the same of how it went. */
export function expectLines({ rows, lines }: Seen): void {
  expect(new Set(lines.map(({ request }) => request)).size).toBe(lines.length);
  for (const line of lines) {
    const own = rows.filter(({ internal_trace_id }) => internal_trace_id === line.request);
    const final = own.filter(({ id }) => id === line.request);
    const said = JSON.stringify([line, own]);
    expect(final.length, said).toBe(1);
    const [row] = final as [LogRow];
    const { ending, status = 499, provider = null, model = null, stream, cache } = line;
    const isGone = ending === "client-gone";
    expect(row.response_status_code, said).toBe(isGone ? 499 : status);
    expect([row.provider_slug, row.ai_model, row.stream_mode === 1], said).toEqual([
      provider || null,
      model,
      stream === true,
    ]);
    expect(row.cache_status === "DISABLED" ? null : row.cache_status, said).toBe(
      cache === "DISABLED" ? null : (cache ?? null),
    );
    expect(row.api_key_name, said).toBe(line.who);
    if (ending !== "complete") expect(row.is_success, said).toBe(false);
    else expect(row.is_success, said).toBe(status >= 200 && status < 300);
    expect(own.length, said).toBeLessThanOrEqual(Math.max(1, line.calls.length));
  }
}

/** What the client was told is what is recorded. */
export function expectTold(told: readonly Told[], { rows, calls }: Seen): void {
  for (const { headers, trace, walker, status, text, step } of told) {
    const of = rows.filter(({ trace_id }) => trace_id === trace);
    const id = headers.get("x-gateway-request-id");
    const final = of.find((row) => row.id === id);
    const said = JSON.stringify([step, [...headers], of, text]);
    expect(final, said).toBeDefined();
    if (!final) continue;
    const own = of.filter(({ internal_trace_id }) => internal_trace_id === id);
    expect(headers.get("x-gateway-trace-id"), said).toBe(final.trace_id);
    expect(final.api_key_name, said).toBe(walker.key);
    if (final.response_status_code !== 499) expect(final.response_status_code, said).toBe(status);
    const first = own.find((row) => row !== final && beganWith(row, headers, step)) ?? final;
    const provider = headers.get("x-gateway-provider");
    if (provider !== null) expect(provider, said).toBe(first.ai_org);
    const cache = headers.get("x-gateway-cache-status");
    // Of a target that nobody could be asked at, a client is told that there was no cache, and its record says nothing.
    if (cache !== null) expect(first.cache_status ?? "DISABLED", said).toBe(cache);
    const retries = headers.get("x-gateway-retry-attempt-count");
    if (retries !== null) expect(first.retry_success_count, said).toBe(Number(retries));
    const cost = headers.get("x-gateway-cost");
    const unknown = own.some((row) => row.cost === null || row.usage_source === "estimated");
    if (cost === "unknown") expect(unknown, said).toBe(true);
    else if (cost !== null) expect(Math.round(Number(cost) * 1e12), said).toBe(Number(total(own)));
    const source = headers.get("x-gateway-usage-source");
    if (source === "provider") expect(final.usage_source, said).toBe("provider");
    if (source === "none" && !isImage(final)) expect(final.usage_source, said).not.toBe("provider");
    expectUsageOf(final, text, said);
    if (status === 200 && text !== undefined && final.is_success && !isHit(final))
      expect(
        calls.some(({ model }) => model === final.ai_model),
        said,
      ).toBe(true);
  }
}

/** Whether a stream began with what broke off there, and went on elsewhere: the head that had left is about where it began. */
function beganWith(row: LogRow, headers: Headers, { tree, stream }: Step): boolean {
  const leaf = leafOf(row.ai_model);
  if (!stream || leaf?.behaves !== "cuts") return false;
  return leaf === leafAt(tree, headers.get("x-gateway-last-used-option-index") ?? "");
}

/** Tokens that an answer names are those of its record, unless several calls made it. */
function expectUsageOf(row: LogRow, text: string | undefined, said: string): void {
  if (text === undefined || row.retry_success_count !== 0 || isHit(row) || !text.startsWith("{")) return;
  if (isUnread(row)) return;
  const { usage } = JSON.parse(text);
  if (!usage || row.usage_source !== "provider") return;
  const input = usage.prompt_tokens ?? usage.input_tokens;
  const output = isEmbedding(row) ? undefined : (usage.completion_tokens ?? usage.output_tokens);
  expect([row.req_units, row.res_units], said).toEqual([input ?? null, output ?? row.res_units]);
}
