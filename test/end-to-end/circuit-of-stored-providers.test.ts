import { expect, it, onTestFinished } from "vitest";
import { StoredProviders } from "../../core/index.ts";
import { openIntegrations } from "../../plugins/integrations/testing.ts";
import { json, startUpstream } from "../support/upstream.ts";

const key = "sk-stored-0123456789";
const answer = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
};

it.each<[string, object, string]>([
  ["stays as it is where another name is all that changes", { name: "Renamed" }, "file"],
  ["begins anew with another key", { key: "sk-mended-0123456789" }, "stored"],
  ["begins anew at another address", { configurations: { custom_host: "/mended" } }, "mended"],
  ["begins anew with another option of the vendor's", { configurations: { openai_project: "p" } }, "stored"],
])("the circuit of a stored provider %s", async (_, change, next) => {
  const { vendor, ask, edit } = await start(["@one", "@mine"]);
  expect([await ask(), await ask()]).toEqual([["stored", "file"], ["file"]]);
  vendor.works = true;
  await edit(change);
  expect([await ask(), await ask()]).toEqual([[next], [next]]);
});

it("the circuit of a stored provider is not that of before for who is late with it", async () => {
  const { vendor, ask, edit, changedAt } = await start(["@one", "@one", "@mine"]);
  let letGo = () => {};
  const reached = new Promise<void>((reach) => {
    vendor.answering = () => {
      vendor.answering = undefined;
      reach();
      return new Promise((resolve) => {
        letGo = resolve;
      });
    };
  });
  const late = ask();
  await reached;
  const before = await changedAt();
  await edit({ key: "sk-other-0123456789" });
  expect(await changedAt()).toBeGreaterThan(before);
  expect(await ask()).toEqual(["stored", "stored", "file"]);
  letGo();
  expect(await late).toContain("file");
  // What the late one found at its second target is not told of the one that is there now.
  expect(await ask()).toEqual(["file"]);
});

/** A vendor that refuses all but what comes by the file, a stored provider that is one of its, and a config that falls back. */
async function start(targets: readonly string[]) {
  const vendor = { works: false, answering: undefined as (() => Promise<void>) | undefined };
  const upstream = await startUpstream(async ({ url }, response) => {
    await vendor.answering?.();
    if (vendor.works || url.startsWith("/file")) json(response, 200, answer);
    else json(response, 503, { error: { message: "No." } });
  });
  const opened = await openIntegrations(
    { routing: {}, "strategy-fallback": {}, "circuit-breaker": {}, "format-openai-chat": {} },
    {
      providers: { mine: { use: "openai", apiKey: "sk-of-the-file", baseUrl: `${upstream.url}/file` } },
      variables: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
    },
  );
  onTestFinished(opened.close);
  const member = opened.as({ workspace: opened.workspace.id });
  const at = (path: string) => ({ configurations: { custom_host: `${upstream.url}${path}` } });
  const integration = { name: "one", slug: "one", ai_provider_id: "openai", key, ...at("/stored") };
  expect((await member("POST", "/integrations", integration)).status).toBe(200);
  const config = JSON.stringify({
    strategy: { mode: "fallback", cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } },
    targets: targets.map((provider) => ({ provider })),
  });
  return {
    vendor,
    changedAt: async () => {
      const kept = opened.gateway.generation.kernel.offered(StoredProviders);
      return (await kept?.find(opened.organisation, opened.workspace.id, "one"))?.changedAt ?? Number.NaN;
    },
    /** Where its calls went. */
    async ask() {
      const before = upstream.received.length;
      const body = { model: "m", messages: [{ role: "user", content: "Hi" }] };
      expect((await member("POST", "/chat/completions", body, { "x-gateway-config": config })).status).toBe(200);
      return upstream.received.slice(before).map(({ url }) => url.split("/")[1]);
    },
    async edit(change: object) {
      const { configurations = {}, ...more } = change as { configurations?: Record<string, string> };
      const { custom_host: path = "/stored", ...options } = configurations;
      const configured = { configurations: { ...at(path).configurations, ...options } };
      expect((await member("PUT", "/integrations/one", { ...more, ...configured })).status).toBe(200);
    },
  };
}
