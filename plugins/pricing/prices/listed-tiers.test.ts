import { expect, it } from "vitest";
import { picodollarsOfCents, ratioOf } from "../arithmetic/ratio.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { bundledProviders } from "../catalogue/source.ts";
import { pricingObject, sheetOf } from "./pricing-object.ts";
import type { Sheet } from "./sheet.ts";
import { Tariff } from "./tariff.ts";

const read = (sheet: Sheet): Sheet => sheetOf(JSON.parse(JSON.stringify(pricingObject(sheet))));

it("what a list says of service tiers and places is read back as it was, of all that the catalogue has", async () => {
  const catalogue = new Catalogue(await bundledProviders());
  for (const vendor of ["anthropic", "bedrock", "google", "openai"])
    for (const [model, sheets] of catalogue.models(vendor))
      for (const { sheet } of sheets) {
        const { apart: _, ...told } = sheet;
        expect(pricingObject(read(told)), `${vendor}/${model}`).toEqual(pricingObject(told));
      }
});

it.each([
  ["flex", "1.5", false, false],
  ["fast", "6", false, false],
  ["own", "5", false, false],
  ["priority", "3", true, false],
  ["reserved", "3", false, true],
])("the tier %s of a list costs %s cents, or more, or less", (tier, cents, more, less) => {
  const tariff = new Tariff(
    read({
      rates: { request_token: ratioOf(3) },
      tiers: { own: { request_token: ratioOf(5) } },
      tierFactors: { flex: ratioOf(0.5), fast: ratioOf(2) },
      dearerTiers: new Set(["priority"]),
      cheaperTiers: new Set(["reserved"]),
      geoFactors: { us: ratioOf(1.1) },
    }),
  );
  const circumstances = { tier: () => tier };
  const found = tariff.cents({ inputTokens: 1 }, circumstances);
  expect(found && picodollarsOfCents(found)).toBe(BigInt(Number(cents) * 10 ** 10));
  expect([
    tariff.lacks({ inputTokens: 1 }, circumstances),
    tariff.isCheaper({ inputTokens: 1 }, circumstances),
  ]).toEqual([more, less]);
  const there = tariff.cents({ inputTokens: 10, inferenceGeo: "us" }, {});
  expect(there && picodollarsOfCents(there)).toBe(33n * 10n ** 10n);
});
