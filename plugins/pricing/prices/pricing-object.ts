import { isRecord } from "../../../core/index.ts";
import { type Ratio, ratioOf, shownNumber } from "../arithmetic/ratio.ts";
import { tokenKeys } from "./classes.ts";
import { type Formulas, formulaOf } from "./formula.ts";
import { listedTiers, tiersListed } from "./listed-tiers.ts";
import type { ImageRates, Rates, Sheet } from "./sheet.ts";

/**
 * Reads a pricing object (control-plane.md section 23): `pay_as_you_go`, `calculate`, `batch_config`, in cents; and what
 * `pricingObject` has besides. What is
 * not said is left out; throws a RangeError on prices that are none.
 */
export function sheetOf(given: unknown): Sheet {
  const wire = isRecord(given) ? given : {};
  const payg = isRecord(wire.pay_as_you_go) ? wire.pay_as_you_go : {};
  const batch = isRecord(wire.batch_config) ? wire.batch_config : undefined;
  const images = imagesOf(payg.image);
  const calculate = formulasOf(wire.calculate);
  const finetune = ratesOf(wire.finetune_config);
  const bands = bandsOf(wire.tiers);
  return {
    rates: ratesWithUnits(payg),
    ...(images && { images }),
    ...(bands.length > 0 && { bands }),
    ...(batch && { batch: ratesWithUnits(isRecord(batch.pay_as_you_go) ? batch.pay_as_you_go : batch) }),
    ...(calculate && { calculate }),
    ...tiersListed(wire, ratesOf),
    ...(Object.keys(finetune).length > 0 && { finetune }),
  };
}

/** Prices of long prompts, in the member of ours that tells them (`pricingObject`). */
const bandsOf = (wire: unknown): NonNullable<Sheet["bands"]> =>
  (Array.isArray(wire) ? wire : [])
    .flatMap((band) => {
      const above = isRecord(band) ? band.above_prompt_tokens : undefined;
      return typeof above === "number" && above >= 0 ? [{ above, rates: ratesOf(band.pay_as_you_go) }] : [];
    })
    .sort((one, other) => one.above - other.above);

function ratesWithUnits(wire: Readonly<Record<string, unknown>>): Rates {
  const rates: Rates = { ...ratesOf(wire), ...ratesOf(wire.additional_units) };
  // The unit of policies.md section 9.4 for tokens of drawn images; price lists have it for Gemini's models that draw.
  const { image_token: drawn, response_image_token: said } = rates;
  return drawn && !said ? { ...rates, response_image_token: drawn } : rates;
}

/** Members that are a price: `{price: 0.0003}`. */
function ratesOf(wire: unknown): Rates {
  if (!isRecord(wire)) return {};
  return Object.fromEntries(
    Object.entries(wire).flatMap(([key, value]) => {
      const price = priceIn(value);
      return price ? [[key, price]] : [];
    }),
  );
}

function priceIn(value: unknown): Ratio | undefined {
  const price = isRecord(value) ? value.price : undefined;
  return typeof price === "number" || typeof price === "string" ? ratioOf(price) : undefined;
}

function imagesOf(wire: unknown): ImageRates | undefined {
  if (!isRecord(wire)) return undefined;
  return Object.fromEntries(Object.entries(wire).map(([quality, sizes]) => [quality, ratesOf(sizes)]));
}

function formulasOf(wire: unknown): Formulas | undefined {
  if (!isRecord(wire)) return undefined;
  const formulas = {
    ...(isRecord(wire.request) && { request: formulaOf(wire.request) }),
    ...(isRecord(wire.response) && { response: formulaOf(wire.response) }),
  };
  return Object.keys(formulas).length > 0 ? formulas : undefined;
}

const shown = (rates: Rates) =>
  Object.fromEntries(Object.entries(rates).map(([key, rate]) => [key, { price: shownNumber(rate) }]));

const picked = (rates: Rates, wanted: (key: string) => boolean): Rates =>
  Object.fromEntries(Object.entries(rates).filter(([key]) => wanted(key)));

/**
 * Prices in the shape of a pricing object; members of ours are bands by the length of the context (`tiers`), and what is said of
 * service tiers and places.
 */
export function pricingObject(sheet: Sheet) {
  const { rates, images, bands, batch, calculate, finetune } = sheet;
  const units = picked(rates, (key) => !tokenKeys.has(key));
  const payAsYouGo = (prices: Rates) => shown(picked(prices, (key) => tokenKeys.has(key)));
  return {
    pay_as_you_go: {
      ...payAsYouGo(rates),
      ...(Object.keys(units).length > 0 && { additional_units: shown(units) }),
      ...(images && { image: Object.fromEntries(Object.entries(images).map(([name, one]) => [name, shown(one)])) }),
    },
    ...(calculate && { calculate }),
    ...(batch && { batch_config: { pay_as_you_go: payAsYouGo(batch) } }),
    ...(bands && {
      tiers: bands.map(({ above, rates: own }) => ({ above_prompt_tokens: above, pay_as_you_go: payAsYouGo(own) })),
    }),
    ...listedTiers(sheet, payAsYouGo),
    ...(finetune && { finetune_config: shown(finetune) }),
    currency: "USD",
  };
}
