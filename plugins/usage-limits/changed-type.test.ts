import { expect, it } from "vitest";
import { MemoryCounters, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { startFreeGateway } from "../../test/support/gateway.ts";
import { folderOfFile, supportPlugin } from "../../test/support/management.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";
import type { Accounts } from "./accounts.ts";
import { Ledger } from "./ledger.ts";
import { budget, serving } from "./testing.ts";
import type { Crossed } from "./written-account.ts";

/** Answers of a hundred tokens, a dollar each. */
async function start() {
  const upstream = await startUpstream((_, response) =>
    json(response, 200, {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 50, completion_tokens: 50, total_tokens: 100 },
    }),
  );
  const folder = folderOfFile();
  const configFor = (policy: object) =>
    JSON.stringify({
      plugins: {
        "auth-open": {},
        "counters-memory": {},
        "records-file": {},
        management: {},
        organisations: {},
        "penny-prices": supportPlugin(folder, "penny-prices"),
        "policy-records": {
          usageLimits: {
            p: { conditions: [{ key: "provider", value: "*" }], group_by: [{ key: "provider" }], ...policy },
          },
        },
        "usage-limits": {},
        routing: {},
        "format-openai-chat": {},
      },
      providers: { openai: { apiKey: "sk-0123456789", baseUrl: upstream.url } },
    });
  const open = (policy: object) => startFreeGateway(configFor(policy), {}, folder);
  return { configFor, open };
}

async function ask(url: string) {
  const headers = { "content-type": "application/json", "x-gateway-provider": "openai" };
  const body = JSON.stringify({ model: "m", max_tokens: 20, messages: [{ role: "user", content: "Hi" }] });
  return (await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body })).status;
}

const cost = { type: "cost", credit_limit: 5 };
const tokens = { type: "tokens", credit_limit: 150 };

it.each(["soft", "hard"])("a policy of the file that is about tokens from now on begins anew (%s)", async (how) => {
  const { configFor, open } = await start();
  const gateway = await open({ ...cost, enforcement: how });
  try {
    expect(await ask(gateway.url)).toBe(200);
    gateway.write(configFor({ ...tokens, enforcement: how }));
    await gateway.reload();
    expect(await ask(gateway.url)).toBe(200);
  } finally {
    await gateway.shutdown(0, 0);
  }
});

it("it does after a restart, too, and counts its tokens", async () => {
  const { open } = await start();
  const statuses: number[] = [];
  for (const policy of [cost, tokens, tokens]) {
    const gateway = await open(policy);
    statuses.push(await ask(gateway.url), await ask(gateway.url));
    await gateway.shutdown(1_000, 1_000);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 412, 412]);
});

it("the generation before goes on by what it was about, and neither takes back nor tells again what the next one tells", async () => {
  const now = () => Date.parse("2082-09-02T10:00Z");
  const counters = Object.assign(new MemoryCounters({ now }), { shared: "deployment" as const, available: true });
  const records = new MemoryRecords();
  const crossed: Crossed[] = [];
  const [old, next] = [1, 2].map(() => {
    const ledger = new Ledger(recordStore(records, silentLogger));
    return serving({ counters, ledger, now, crossed: (_, what) => void crossed.push(what) });
  }) as [Accounts, Accounts];
  const of = { level: "policy", policy: { id: "p", valueKey: "x" } } as const;
  const before = await old.of("o", budget({ ...of, limit: 100n, version: 1 }));
  const both = async () => {
    for (let time = 0; time < 3; time++)
      for (const one of [old, next]) {
        await one.flush();
        await one.sync();
        for (const other of [old, next]) await other.changed("o", before.id, undefined);
      }
  };
  old.add(before, 50n);
  await both();
  const after = await next.of("o", budget({ ...of, type: "requests", limit: 2n, version: 2 }));
  next.add(after, 3n);
  await both();
  // An answer of the generation before.
  old.add(before, 10n);
  await both();
  expect([before.total, before.budget.limit, after.total]).toEqual([60n, 100n, 3n]);
  expect(crossed).toEqual(["exhausted"]);
  const record = await new Ledger(recordStore(records, silentLogger)).read(after);
  expect(record?.document).toMatchObject({ type: "requests", total: "3", exhausted_sent: true });
});
