import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withChecks } from "./support/checks-page.ts";

const page = readFileSync(new URL("../docs/checks.md", import.meta.url), "utf8");

it("is what the checks say of themselves (npm run readmes renews it)", async () => {
  expect(await withChecks(page)).toBe(page);
});
