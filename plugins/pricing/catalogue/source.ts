import type { ConditionalPrice, ModelInfo, ModelPrice, Provider } from "@pydantic/genai-prices";
import { centsOfDollars } from "../prices/own-table.ts";
import type { DatedSheet, Rates } from "../prices/sheet.ts";
import { pricedApart, supplemented, tiersOf } from "./supplement.ts";

/** Keys of the catalogue: what they are called here, and how many the price is for. Dollars. Others are not counted here. */
const keys: Readonly<Record<string, readonly [string, number]>> = {
  input_mtok: ["request_token", 1_000_000],
  output_mtok: ["response_token", 1_000_000],
  cache_read_mtok: ["cache_read_input_token", 1_000_000],
  cache_write_mtok: ["cache_write_input_token", 1_000_000],
  cache_write_1h_mtok: ["cache_write_input_token_1h", 1_000_000],
  input_audio_mtok: ["request_audio_token", 1_000_000],
  output_audio_mtok: ["response_audio_token", 1_000_000],
  cache_audio_read_mtok: ["cache_read_audio_input_token", 1_000_000],
  cache_image_read_mtok: ["cache_read_image_input_token", 1_000_000],
  input_image_mtok: ["request_image_token", 1_000_000],
  output_image_mtok: ["response_image_token", 1_000_000],
  input_video_mtok: ["request_video_token", 1_000_000],
  output_video_mtok: ["response_video_token", 1_000_000],
  output_reasoning_mtok: ["reasoning_token", 1_000_000],
  web_searches_kcount: ["web_search", 1000],
  storage_searches_kcount: ["file_search", 1000],
  requests_kcount: ["request", 1000],
  audio_hours: ["audio_second", 3600],
  input_document_kpages: ["page", 1000],
  input_annotated_document_kpages: ["annotated_page", 1000],
};

/** All vendors of the package, with what it lacks; it fetches nothing. Takes 50 ms, and some memory. */
export async function bundledProviders(): Promise<readonly Provider[]> {
  const { waitForUpdate } = await import("@pydantic/genai-prices");
  return supplemented((await waitForUpdate()) ?? []);
}

/** Prices of a model of a vendor of the package; none where it names none, unless the model is free by its name. */
export function datedSheetsOf(vendor: string, { prices, id }: ModelInfo): readonly DatedSheet[] {
  const given: readonly ConditionalPrice[] = Array.isArray(prices) ? prices : [{ prices }];
  const priced = given.filter((one) => Object.keys(one.prices).length > 0);
  if (priced.length === 0) return isFree(id) ? [{ sheet: { rates: free } }] : [];
  const apart = pricedApart(vendor, id);
  return priced.map(({ constraint, prices: own }, at) => {
    const sheet = { ...sheetOf(own), ...tiersOf(vendor, id), ...(apart && { apart }) };
    // The first ones are those that always held.
    if (!constraint || at === 0) return { sheet };
    if (constraint.type === "start_date") return { since: Date.parse(constraint.start_date), sheet };
    return { daily: { from: secondOf(constraint.start_time), until: secondOf(constraint.end_time) }, sheet };
  });
}

/** Models that cost nothing by what they are called, listed or not: OpenRouter has them come and go. */
export const freeByName = (vendor: string, model: string): readonly DatedSheet[] | undefined =>
  vendor === "openrouter" && model.endsWith(":free") ? [{ sheet: { rates: free } }] : undefined;

const isFree = (id: string): boolean => id.endsWith(":free") || id === "moderation";

const nothing = { over: 0n, under: 1n };
const free: Rates = { request_token: nothing, response_token: nothing, request: nothing };

function sheetOf(prices: ModelPrice): DatedSheet["sheet"] {
  const rates: Record<string, Rates[string]> = {};
  const bands = new Map<number, Record<string, Rates[string]>>();
  for (const [name, given] of Object.entries(prices)) {
    const [key, per] = keys[name] ?? [];
    if (key === undefined || given === undefined) continue;
    if (typeof given === "number") {
      rates[key] = centsOfDollars(given, per);
      continue;
    }
    rates[key] = centsOfDollars(given.base, per);
    for (const { start, price } of given.tiers) {
      const band = bands.get(start) ?? {};
      band[key] = centsOfDollars(price, per);
      bands.set(start, band);
    }
  }
  if (bands.size === 0) return { rates };
  return { rates, bands: cumulated([...bands].sort(([one], [other]) => one - other)) };
}

/** A band has all that the shorter ones have, but for what it says itself. */
function cumulated(sorted: readonly (readonly [number, Rates])[]): NonNullable<DatedSheet["sheet"]["bands"]> {
  let known: Rates = {};
  return sorted.map(([above, own]) => {
    known = { ...known, ...own };
    return { above, rates: known };
  });
}

/** `16:30:00Z` and `01:00:00+02:00` as the second of the day, UTC. */
function secondOf(time: string): number {
  const [, hours = "0", minutes = "0", seconds = "0", sign = "+", zoneHours = "0", zoneMinutes = "0"] =
    /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/.exec(time) ?? [];
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60 * (sign === "-" ? -1 : 1);
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) - zone + 86_400) % 86_400;
}
