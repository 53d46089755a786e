import { describe, expect, it } from "vitest";
import { tenantOf } from "../../core/index.ts";

describe("a tenant", () => {
  it("is the workspace, whoever of it asks", () => {
    const workspace = { organisation: "o", workspace: "w" };
    expect(tenantOf({ id: "one", ...workspace })).toBe(tenantOf({ id: "two", ...workspace }));
  });

  it("is the principal alone where there is none", () => {
    expect(tenantOf({ id: "one" })).not.toBe(tenantOf({ id: "two" }));
  });

  it("is never another one's", () => {
    const tenants = [
      { id: "a" },
      { id: "b" },
      { id: "a", organisation: "o" },
      { id: "a", organisation: "o", workspace: "w" },
      { id: "a", organisation: "o", workspace: "v" },
      { id: "a", organisation: "p", workspace: "w" },
      { id: "a", workspace: "o" },
      { id: "a", organisation: 'o","w', workspace: "" },
      { id: "o" },
    ].map(tenantOf);
    expect(new Set(tenants).size).toBe(tenants.length);
  });
});
