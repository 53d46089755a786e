import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { spawnGateway } from "../support/gateway-process.ts";
import { testOrganisation } from "../support/management.ts";
import { root } from "../support/root.ts";

const headers = {
  "content-type": "application/json",
  "x-test-principal": JSON.stringify({ id: "t", organisation: testOrganisation }),
};

/** Times the gateway is killed, each at a moment of chance; SLUICE_KILLS asks for more. */
const rounds = Number(process.env.SLUICE_KILLS ?? 12);
const lanes = 4;

const configIn = (folder: string) =>
  JSON.stringify({
    server: { port: 0 },
    plugins: {
      principal: { use: relative(folder, `${root}test/support/principal.ts`) },
      "records-file": {},
      management: { requestsPerMinute: 0 },
      organisations: {},
      deployments: {},
    },
  });

describe("a gateway that is killed while records are written", () => {
  it("has every write it acknowledged, no half record, and a file that opens", async () => {
    const folder = temporaryFolder({});
    const { writeFileSync } = await import("node:fs");
    const file = join(folder, "gateway.json");
    writeFileSync(file, configIn(folder));
    const acknowledged = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const gateway = spawnGateway(file);
      const url = await gateway.url();
      const writing = Array.from({ length: lanes }, (_, lane) => write(url, `${round}-${lane}`, acknowledged));
      const before = acknowledged.size;
      const enough = before + Math.ceil(Math.random() * 20);
      await until(() => acknowledged.size >= enough);
      gateway.kill("SIGKILL");
      await gateway.ended;
      await Promise.all(writing);
    }
    const gateway = spawnGateway(file);
    const url = await gateway.url();
    const kept = new Map<string, string>();
    for (let page = 0; ; page++) {
      const response = await fetch(`${url}/v1/deployments?page_size=500&current_page=${page}`, { headers });
      const { data } = (await response.json()) as { data: { name: string; url: string }[] };
      if (data.length === 0) break;
      for (const one of data) kept.set(one.name, one.url);
    }
    expect([...acknowledged].filter((name) => !kept.has(name))).toEqual([]);
    expect([...kept].filter(([name, address]) => address !== addressOf(name))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(rounds);
  }, 600_000);
});

const addressOf = (name: string): string => `https://${name}.example/${"x".repeat(500)}`;

/** Writes records until the gateway is gone, and notes what it was told is kept. */
async function write(url: string, lane: string, acknowledged: Set<string>): Promise<void> {
  for (let n = 0; ; n++) {
    const name = `d-${lane}-${n}`;
    const body = JSON.stringify({ name, type: "production", url: addressOf(name) });
    try {
      const response = await fetch(`${url}/v1/deployments`, { method: "POST", headers, body });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      await response.text();
      acknowledged.add(name);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

/** Looks again after each turn of the loop. */
async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise(setImmediate);
}
