import { expect, it, onTestFinished } from "vitest";
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
  let works = false;
  const upstream = await startUpstream(({ url }, response) =>
    works || url.startsWith("/file") ? json(response, 200, answer) : json(response, 503, { error: { message: "No." } }),
  );
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
    targets: [{ provider: "@one" }, { provider: "@mine" }],
  });
  const ask = async () => {
    const before = upstream.received.length;
    const body = { model: "m", messages: [{ role: "user", content: "Hi" }] };
    expect((await member("POST", "/chat/completions", body, { "x-gateway-config": config })).status).toBe(200);
    return upstream.received.slice(before).map(({ url }) => url.split("/")[1]);
  };
  expect([await ask(), await ask()]).toEqual([["stored", "file"], ["file"]]);
  works = true;
  const { configurations = {}, ...more } = change as { configurations?: Record<string, string> };
  const { custom_host: path = "/stored", ...options } = configurations;
  const configured = { configurations: { ...at(path).configurations, ...options } };
  expect((await member("PUT", "/integrations/one", { ...more, ...configured })).status).toBe(200);
  expect([await ask(), await ask()]).toEqual([[next], [next]]);
});
