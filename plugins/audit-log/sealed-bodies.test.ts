import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { AuditTrail, GatewayError, RecordError, type SealingService } from "../../core/index.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { startManagement, wholeControlPlane } from "../../test/support/management.ts";
import type { AuditEntry } from "./entry.ts";
import { SealedBodies } from "./sealed-bodies.ts";
import { entryNamed, organisation } from "./testing.ts";

const entry = (resource_type: string, request_body: string): AuditEntry => ({
  ...entryNamed("a call"),
  resource_type,
  request_body,
});

/** Turns texts around. */
const turning: SealingService = {
  seal: async (_, place, text) => `v1:${place}:${[...text].reverse().join("")}`,
  open: async (_, place, sealed) => [...sealed.slice(`v1:${place}:`.length)].reverse().join(""),
};

const refusing = (error: Error): SealingService => ({
  seal: () => Promise.reject(error),
  open: () => Promise.reject(error),
});

const bodies = (sealing: SealingService | undefined) => {
  const log = keepingLogger();
  return { log, bodies: new SealedBodies(sealing, log) };
};

describe("the body of an audit entry", () => {
  it("is encrypted where the record it is about is, and readable again", async () => {
    const { bodies: turned } = bodies(turning);
    const given = entry("prompts", '{"string":"Dear customer"}');
    const kept = await turned.sealed(organisation, given);
    expect(JSON.stringify(kept)).not.toContain("Dear customer");
    expect(await turned.opened(organisation, kept)).toEqual(given);
  });

  it.each([
    ["of other records", turning, entry("labels", '{"name":"live"}')],
    ["that is empty", turning, entry("configs", "{}")],
    ["where nothing encrypts", undefined, entry("configs", '{"name":"Night"}')],
  ])("%s is kept as it is", async (_, sealing, given) => {
    const kept = await bodies(sealing).bodies.sealed(organisation, given);
    expect(kept).toEqual(given);
    expect(await bodies(sealing).bodies.opened(organisation, kept)).toEqual(given);
  });

  it("is left out, and told of, where there is no key for it; the rest is kept and shown", async () => {
    const { bodies: refused, log } = bodies(refusing(new GatewayError("secret_unavailable", "no key")));
    const given = entry("configs", '{"name":"Night"}');
    expect(await refused.sealed(organisation, given)).toEqual({ ...given, request_body: '"…"' });
    const kept = await bodies(turning).bodies.sealed(organisation, given);
    expect(await refused.opened(organisation, kept)).toEqual({ ...given, request_body: '"…"' });
    expect(await bodies(undefined).bodies.opened(organisation, kept)).toEqual({ ...given, request_body: '"…"' });
    expect(log.lines.map(({ level }) => level)).toEqual(["warn", "warn"]);
  });

  it("waits with its entry while the store does not answer", async () => {
    const { bodies: down } = bodies(refusing(new RecordError("down", "no answer")));
    await expect(down.sealed(organisation, entry("configs", '{"name":"Night"}'))).rejects.toMatchObject({
      reason: "down",
    });
  });
});

it("nothing that is kept encrypted is readable in the store beside it", async () => {
  const {
    admin,
    gateway,
    folder,
    workspace,
    organisation: mine,
  } = await startManagement(wholeControlPlane, {
    providers: { simulator: {} },
  });
  const config = { provider: "simulator", override_params: { user: "WORD-OF-A-CONFIG" } };
  const guardrail = {
    checks: [{ id: "default.contains", parameters: { operator: "any", words: ["WORD-OF-A-CHECK"] } }],
    actions: { deny: false },
  };
  const made = [
    await admin("POST", "/configs", { name: "Night", workspace_id: workspace.id, config }),
    await admin("POST", "/guardrails", { name: "Words", workspace_id: workspace.id, ...guardrail }),
    await admin("POST", "/prompts/partials", { name: "p", workspace_id: workspace.id, string: "WORD-OF-A-PARTIAL" }),
    await admin("POST", "/collections", { name: "Letters", workspace_id: workspace.slug }),
  ];
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const span = `start_time=${new Date(Date.now() - 60_000).toISOString()}&end_time=${new Date(Date.now() + 60_000).toISOString()}`;
  const trail = await vi.waitFor(async () => {
    const { records } = (await admin("GET", `/audit-logs?${span}`)).body;
    expect(records).toHaveLength(5);
    return records as readonly Readonly<Record<string, string>>[];
  }, 5000);
  const told = trail.map(({ request_body }) => request_body).join();
  for (const word of ["WORD-OF-A-CONFIG", "WORD-OF-A-CHECK", "WORD-OF-A-PARTIAL", "Letters"])
    expect(told).toContain(word);
  expect(JSON.stringify(trail)).not.toContain("sealed_body");
  const stored = join(folder, ".sluice");
  const kept = readdirSync(stored).map((file) => readFileSync(join(stored, file), "latin1"));
  expect(kept.join("")).toContain("Letters");
  expect(kept.join("")).not.toContain("WORD-OF");
  const chains = (await gateway.generation.kernel.offered(AuditTrail)?.verify?.(new Set())) ?? [];
  const chain = chains.find((one) => one.organisation === mine);
  expect([chain?.entries, chain?.wrong]).toEqual([5, undefined]);
});
