import { describe, expect, it } from "vitest";
import { itemPage } from "./item-page.ts";

async function* kept(): AsyncGenerator<{ readonly id: string }> {
  for (const id of ["c", "b", "a"]) yield { id };
}

const page = (limit: number, after?: string) => itemPage(kept(), { limit, after }, "letter", ({ id }) => id);

describe("a page of what is kept", () => {
  it.each([
    [2, undefined, ["c", "b"], true],
    [3, undefined, ["c", "b", "a"], false],
    [1, "c", ["b"], true],
    [2, "c", ["b", "a"], false],
    [2, "a", [], false],
  ])("of %j behind %j is %j", async (limit, after, data, hasMore) => {
    expect(await page(limit, after)).toEqual({ data, hasMore });
  });

  it("begins behind something that there is", async () => {
    await expect(page(2, "x")).rejects.toMatchObject({
      code: "invalid_request",
      message: 'after names no letter: "x".',
      details: { param: "after" },
    });
  });
});
