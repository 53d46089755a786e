import { describe, expect, it } from "vitest";
import { openLibrary } from "./testing.ts";

const { gateway, here, there, make } = await openLibrary({
  retry: {},
  "strategy-fallback": {},
  "strategy-loadbalance": {},
  "strategy-conditional": {},
  "strategy-hedge": {},
});

const complete = (ref: string, config: unknown, call: object = {}, headers = {}) =>
  here("POST", `/prompts/${ref}/completions`, call, { "x-gateway-config": JSON.stringify(config), ...headers });
/** The provider of the last line of the access log. */
function providerOf(): string | undefined {
  const line = gateway.log.lines.findLast(({ message }) => message === "request");
  return (line?.fields as { provider?: string } | undefined)?.provider;
}
/** The linter takes an object with this key for a promise. */
const leadsTo = "then";
const content = ({ body }: { body: { choices: { message: { content: string } }[] } }) =>
  body.choices?.[0]?.message.content;
const fallback = (...targets: object[]) => ({ strategy: { mode: "fallback" }, targets });

const one = await make({ string: "one {{name}}", model: "m1" });
const two = await make({ string: "two {{name}}", model: "m2", virtual_key: "other", parameters: { temperature: 2 } });
await here("PUT", `/prompts/${one.id}`, { patch: true, string: "one more {{name}}" });
const foreign = await there("POST", "/collections", { name: "x" });
const theirs = (
  await there("POST", "/prompts", {
    name: "t",
    collection_id: foreign.body.id,
    string: "theirs",
    parameters: {},
    virtual_key: "simulator",
  })
).body as { slug: string };

describe("a target with a prompt of its own", () => {
  const call = { variables: { name: "Ana" } };

  it.each<[string, unknown, object, string, string, string]>([
    ["asks it", { prompt_id: two.slug }, {}, "Simulated answer from m2: two Ana", "1", "other"],
    [
      "asks a version of it",
      { prompt_id: `${one.slug}@latest` },
      {},
      "Simulated answer from m1: one more Ana",
      "2",
      "simulator",
    ],
    [
      "asks its own provider for it",
      { prompt_id: two.slug, provider: "@simulator" },
      {},
      "Simulated answer from m2: two Ana",
      "1",
      "simulator",
    ],
    [
      "asks by virtual key",
      { prompt_id: one.slug, virtual_key: "other" },
      {},
      "Simulated answer from m1: one Ana",
      "1",
      "other",
    ],
    [
      "is not asked for the provider of a header",
      { prompt_id: two.slug },
      { "x-gateway-provider": "simulator" },
      "Simulated answer from m2: two Ana",
      "1",
      "other",
    ],
    [
      "is, where it is open to it",
      { prompt_id: two.slug, passthrough: true },
      { "x-gateway-provider": "simulator" },
      "Simulated answer from m2: two Ana",
      "1",
      "simulator",
    ],
    [
      "shapes what was rendered",
      { prompt_id: two.slug, override_params: { model: "m3" } },
      {},
      "Simulated answer from m3: two Ana",
      "1",
      "other",
    ],
    [
      "is fallen back from when it is not there",
      fallback({ prompt_id: "pp-x" }, { prompt_id: two.slug }),
      {},
      "Simulated answer from m2: two Ana",
      "1",
      "other",
    ],
    [
      "is fallen back from to the prompt of the path",
      fallback({ prompt_id: two.slug, override_params: { model: "fault-status-503" } }, { retry: { attempts: 0 } }),
      {},
      "Simulated answer from m1: one Ana",
      "1",
      "simulator",
    ],
    [
      "is fallen back to from the prompt of the path",
      fallback({ override_params: { model: "fault-status-503" } }, { prompt_id: `${two.slug}@1` }),
      {},
      "Simulated answer from m2: two Ana",
      "1",
      "other",
    ],
    [
      "is balanced",
      {
        strategy: { mode: "loadbalance" },
        targets: [
          { prompt_id: two.slug, weight: 1 },
          { prompt_id: one.slug, weight: 0 },
        ],
      },
      {},
      "Simulated answer from m2: two Ana",
      "1",
      "other",
    ],
    [
      "is chosen by what is asked",
      {
        strategy: {
          mode: "conditional",
          conditions: [{ query: { "params.model": "m1" }, [leadsTo]: "b" }],
          default: "a",
        },
        targets: [
          { name: "a", prompt_id: one.slug },
          { name: "b", prompt_id: two.slug },
        ],
      },
      {},
      "Simulated answer from m2: two Ana",
      "1",
      "other",
    ],
    [
      "runs beside another",
      {
        strategy: { mode: "hedge", after: 1 },
        targets: [{ prompt_id: two.slug, override_params: { model: "fault-slow-3000" } }, { prompt_id: one.slug }],
      },
      {},
      "Simulated answer from m1: one Ana",
      "1",
      "simulator",
    ],
  ])("%s", async (_, config, headers, said, version, provider) => {
    const answered = await complete(one.slug, config, call, headers);
    expect(content(answered) ?? answered.body).toBe(said);
    expect(answered.headers.get("x-gateway-prompt-version")).toBe(version);
    expect(providerOf()).toBe(provider);
  });

  it("makes the one in the path unimportant", async () => {
    const all = fallback({ prompt_id: "pp-x" }, { prompt_id: two.slug });
    expect(content(await complete("pp-nothing", all, call))).toContain("two Ana");
    const some = fallback({ override_params: { model: "m" } }, { prompt_id: two.slug });
    const answered = await complete("pp-nothing", some, call);
    expect(content(answered)).toContain("two Ana");
    expect(answered.headers.get("x-gateway-last-used-option-index")).toBe("config.targets[1]");
    expect((await complete("pp-nothing", { retry: { attempts: 1 } }, call)).body.error.reason).toBe("prompt_not_found");
    expect((await complete("pp-nothing", { provider: "@simulator" }, call)).body.error.reason).toBe("prompt_not_found");
  });

  it("is given the same variables and overrides as the others, and writes down which one was used", async () => {
    await complete(
      "pp-nothing",
      fallback({ prompt_id: `${one.slug}@2`, override_params: { model: "fault-status-500" } }, { prompt_id: two.slug }),
      { ...call, seed: 7, temperature: null },
    );
    const asked = gateway.log.lines.filter(({ message }) => message === "asked").slice(-2);
    expect(asked.map(({ fields }) => fields)).toMatchObject([
      { body: { seed: 7, messages: [{ content: "one more Ana" }] }, prompt: { slug: one.slug, version: 2 } },
      {
        body: { seed: 7, messages: [{ content: "two Ana" }] },
        prompt: { slug: two.slug, version: 1, variables: { name: "Ana" } },
      },
    ]);
    expect(asked[1]?.fields).not.toHaveProperty("body.temperature");
  });

  it("streams", async () => {
    const response = await fetch(`${gateway.url}/v1/prompts/${one.slug}/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-test-principal": JSON.stringify({
          id: "a",
          organisation: "11111111-1111-4111-8111-111111111111",
          workspace: (await here("GET", "/collections")).body.data[0].workspace_id,
        }),
        "x-gateway-config": JSON.stringify({ prompt_id: two.slug }),
      },
      body: JSON.stringify({ ...call, stream: true, stream_options: { include_usage: true } }),
    });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const streamed = await response.text();
    expect(streamed).toContain('"usage":{');
    expect(streamed.trimEnd().endsWith("data: [DONE]")).toBe(true);
  });

  it.each<[string, unknown, number, string]>([
    ["nobody knows", { prompt_id: "pp-x" }, 404, "prompt_not_found"],
    ["is another workspace's", { prompt_id: theirs.slug }, 404, "prompt_not_found"],
    ["has no such version", { prompt_id: `${two.slug}@9` }, 404, "prompt_version_not_found"],
    ["has no such label", { prompt_id: `${two.slug}@staging` }, 404, "prompt_label_not_found"],
  ])("fails where the prompt %s", async (_, config, status, reason) => {
    expect(await complete(one.slug, config, call)).toMatchObject({ status, body: { error: { reason } } });
  });

  it("is for prompt completions, where it has nothing else", async () => {
    const chat = (config: unknown) =>
      here(
        "POST",
        "/chat/completions",
        { model: "m", messages: [{ role: "user", content: "Hi" }] },
        { "x-gateway-config": JSON.stringify(config) },
      );
    expect(await chat({ prompt_id: two.slug })).toMatchObject({
      status: 400,
      body: { status: "failure", error: { param: "prompt_id" } },
    });
    expect(content(await chat({ prompt_id: two.slug, provider: "@simulator" }))).toBe("Simulated answer from m: Hi");
    expect(content(await chat(fallback({ prompt_id: two.slug }, { provider: "@simulator" })))).toContain("Hi");
  });
});
