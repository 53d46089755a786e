import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { everything } from "./conformance/everything.ts";
import { losses, withLosses } from "./conformance/losses.ts";
import { chatFormats } from "./conformance/pairs.ts";
import { root } from "./support/root.ts";

const found = losses(chatFormats);

it("docs/formats.md tells what each translation loses (npm run readmes)", () => {
  const page = readFileSync(`${root}docs/formats.md`, "utf8");
  expect(withLosses(page, found)).toBe(page);
});

it.each(chatFormats.map((format) => ({ name: format.name, format })))(
  "$name declares everything it leaves out of others' requests",
  ({ name, format }) => {
    const lost = found.filter(({ upstream }) => upstream === name).flatMap(({ fields }) => fields);
    // Fields of another format's own go by the names they have there: a format cannot list what it has never heard of.
    const own = new Set(chatFormats.flatMap((one) => (one === format ? [] : foreignNames(one.name))));
    const undeclared = [...new Set(lost)].filter(
      (field) => !format.drops.includes(field) && !own.has(field) && !/[ .]/.test(field),
    );
    expect(undeclared).toEqual([]);
  },
);

it("what is lost is named alike, whoever the vendor is: in snake case, and never by a word of ours", () => {
  const names = new Set(found.flatMap(({ fields }) => fields).filter((field) => !field.includes(" ")));
  const odd = [...names].filter((name) => !/^[a-z0-9_.]+$/.test(name) || /\.(?:native|opaque|block)$/.test(name));
  expect(odd).toEqual([]);
});

/** What is left over when a format is written in itself by another one's rules: every name its own request has. */
function foreignNames(name: string): string[] {
  const names = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, path);
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        const at = path === "" ? key : `${path}.${key}`;
        for (const spelling of [at, key])
          names.add(spelling).add(spelling.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`));
        walk(inner, at);
      }
  };
  walk(everything[name], "");
  return [...names];
}
