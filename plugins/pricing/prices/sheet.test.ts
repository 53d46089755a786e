import { expect, it } from "vitest";
import { ratioOf } from "../arithmetic/ratio.ts";
import { type ImageRates, laidOver } from "./sheet.ts";

type Cents = Readonly<Record<string, Readonly<Record<string, number>>>>;

const imagesOf = (cents: Cents): ImageRates =>
  Object.fromEntries(
    Object.entries(cents).map(([quality, sizes]) => [
      quality,
      Object.fromEntries(Object.entries(sizes).map(([size, price]) => [size, ratioOf(price)])),
    ]),
  );

it.each<[string, Cents, Cents, Cents]>([
  ["a quality of its own", { hd: { big: 12 } }, { low: { big: 4 } }, { hd: { big: 12 }, low: { big: 4 } }],
  ["a size of a quality", { hd: { big: 12 } }, { hd: { big: 9, small: 8 } }, { hd: { big: 12, small: 8 } }],
  [
    "a size where the others are of any quality",
    { hd: { big: 12 } },
    { default: { big: 4, small: 3 } },
    { hd: { big: 12, small: 3 }, default: { big: 4, small: 3 } },
  ],
  [
    "any size of a quality",
    { hd: { default: 5 } },
    { hd: { big: 9 }, low: { big: 4 } },
    { hd: { default: 5 }, low: { big: 4 } },
  ],
  ["images of any kind", { default: { default: 5 } }, { hd: { big: 9 } }, { default: { default: 5 } }],
])("prices of images are laid over others key by key: %s", (_, upper, lower, laid) => {
  const sheet = (images: Cents) => ({ rates: {}, images: imagesOf(images) });
  expect(laidOver(sheet(upper), sheet(lower)).images).toEqual(imagesOf(laid));
});
