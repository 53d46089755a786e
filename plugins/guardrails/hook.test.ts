import { describe, expect, it } from "vitest";
import type { KeptGuardrail } from "../../core/index.ts";
import type { HookSpec } from "./config/hook-spec.ts";
import { HookCompiler } from "./hook.ts";

const scan = (apiKey: string) => ({ id: "vendor.scan", parameters: { apiKey, level: 2 }, enabled: true });
const spec = (apiKey: string, token = "t"): HookSpec => ({
  id: "g",
  type: "guardrail",
  checks: [scan(apiKey)],
  deny: true,
  async: false,
  sequential: false,
  softDeny: false,
  credentials: { vendor: { token } },
});
const feedback = { value: 0, weight: 1, metadata: "" };
const kept = (apiKey: string, version: string | undefined): KeptGuardrail => ({
  id: "7",
  slug: "g",
  name: "G",
  ...(version !== undefined && { version }),
  checks: [scan(apiKey)],
  actions: {
    deny: true,
    async: false,
    sequential: false,
    soft_deny_200: false,
    on_success: { feedback },
    on_fail: { feedback },
  },
});

describe("what a guardrail does, for the keys of caches,", () => {
  const compiler = () => new HookCompiler({ named: () => undefined, mistakes: () => [] });
  const written = (...of: Parameters<typeof spec>) => compiler().written(spec(...of)).digest;
  const ofKept = (...of: Parameters<typeof kept>) => compiler().kept(kept(...of), "guardrail").digest;

  it("shows no credential of its checks, and is another with another one", () => {
    for (const digest of [written("abc", "xyz"), ofKept("abc", "1"), ofKept("abc", undefined)])
      expect(digest).not.toMatch(/abc|xyz/);
    expect(new Set([written("abc"), written("abd"), written("abc", "u"), ofKept("abc", undefined)]).size).toBe(4);
    expect(ofKept("abc", undefined)).not.toBe(ofKept("abd", undefined));
    expect(written("abc")).toBe(written("abc"));
  });

  it("is the same everywhere for a kept one, which has versions", () => {
    expect(ofKept("abc", "1")).toBe(ofKept("abd", "1"));
    expect(ofKept("abc", "1")).not.toBe(ofKept("abc", "2"));
  });
});
