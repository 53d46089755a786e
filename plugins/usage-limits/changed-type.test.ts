import { expect, it } from "vitest";
import { startFreeGateway } from "../../test/support/gateway.ts";
import { folderOfFile, supportPlugin } from "../../test/support/management.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";

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
