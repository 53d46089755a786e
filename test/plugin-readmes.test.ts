import { describe, expect, it } from "vitest";
import { optionTables, renewed } from "./support/option-tables.ts";

describe.each(await optionTables())("$file", (one) => {
  it("has the options of the schema in its table (npm run readmes renews it)", () => {
    const { before, after } = renewed(one);
    expect(before).toBe(after);
  });

  it("says in a paragraph what it is for", () => {
    const [, paragraph = ""] = renewed(one).before.split("\n\n");
    expect(paragraph.length).toBeGreaterThan(100);
  });
});
