import { expect, it } from "vitest";
import { openLibrary } from "./testing.ts";

const { here, there } = await openLibrary();

it("labels come in pages of one's own, whatever other workspaces have", async () => {
  for (const name of ["a", "b", "c"])
    for (const caller of [here, there]) await caller("POST", "/labels", { name: `${name}-label` });
  const { data: all, total } = (await here("GET", "/labels")).body as { data: { name: string }[]; total: number };
  expect(total).toBe(all.length);
  const pages: unknown[] = [];
  for (let page = 0; page < all.length; page++) {
    const { body } = await here("GET", `/labels?page_size=1&current_page=${page}`);
    expect(body.total).toBe(total);
    pages.push(...body.data);
  }
  expect(pages).toEqual(all);
});
