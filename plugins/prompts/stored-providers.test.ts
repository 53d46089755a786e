import { expect, it } from "vitest";
import { openLibrary } from "./testing.ts";

const { admin, here, there, workspace, other, make, gateway } = await openLibrary({
  encryption: {},
  integrations: {},
  "strategy-fallback": {},
  witness: undefined,
});

/** A provider of a workspace, whose models are those of a list. */
const integration = (
  await admin("POST", "/integrations", { name: "Simulated", ai_provider_id: "simulator", key: "k-0123456789abcdef" })
).body;
const given = { integration_id: integration.slug };
await admin("PUT", `/integrations/${integration.slug}/workspaces`, {
  workspaces: [workspace.slug, other.slug].map((id) => ({ id, enabled: true })),
  create_default_provider: false,
});
const provider = async (caller: typeof here, slug: string) =>
  (await caller("POST", "/providers", { ...given, name: slug, slug })).body.slug as string;
const mine = await provider(here, "mine");
const both = await provider(here, "both");
await provider(there, "both");

const complete = (caller: typeof here, ref: string, config?: object) =>
  caller(
    "POST",
    `/prompts/${ref}/completions`,
    { variables: { name: "Ana" } },
    {
      ...(config && { "x-gateway-config": JSON.stringify(config) }),
    },
  );

it("prompts go to a provider that is kept among the records, and targets with a prompt to that prompt's", async () => {
  const { slug } = await make({ virtual_key: mine });
  expect((await complete(here, slug)).body.choices[0].message.content).toBe("Simulated answer from m: Hello Ana");
  expect(gateway.log.lines.findLast(({ message }) => message === "request")?.fields as object).toMatchObject({
    provider: "mine",
  });
  const fallback = { strategy: { mode: "fallback" }, targets: [{ prompt_id: "pp-x" }, { prompt_id: slug }] };
  expect((await complete(here, "pp-x", fallback)).body.choices[0].message.content).toBe(
    "Simulated answer from m: Hello Ana",
  );
  expect((await complete(here, "pp-x", { prompt_id: slug })).status).toBe(200);
});

/** Of the prompt's own workspace alone: nobody else may use its credentials. */
const ownIntegration = async (caller: typeof here, slug: string) => {
  const own = { name: "Own", ai_provider_id: "simulator", key: "k-0123456789abcdef", default_provider_slug: slug };
  await caller("POST", "/integrations", own);
  return slug;
};
const providerOfLast = () =>
  (gateway.log.lines.findLast(({ message }) => message === "request")?.fields as { provider: string } | undefined)
    ?.provider;
const shared = async (body: Record<string, unknown>) => {
  const { slug } = await make(body);
  await here("POST", `/prompts/${slug}/share`, { visibility: "organisation" });
  return slug;
};

it("a prompt that is shared is answered by the recipient's provider with the same integration", async () => {
  const same = await shared({ virtual_key: both });
  const another = await shared({ virtual_key: mine });
  const inFront = await shared({ virtual_key: "simulator", model: `@${mine}/m` });
  for (const slug of [same, another, inFront]) {
    expect((await complete(there, slug)).status).toBe(200);
    expect(providerOfLast()).toBe(both);
    expect((await complete(there, "pp-x", { prompt_id: slug })).status).toBe(200);
    expect(providerOfLast()).toBe(both);
  }
  expect((await there("POST", `/prompts/${inFront}/render`, {})).body.data.model).toBe(`@${both}/m`);
  const copy = (await there("POST", `/prompts/${another}/fork`, {})).body.slug;
  expect((await there("GET", `/prompts/${copy}`)).body.virtual_key).toBe(both);
  const copied = (await there("POST", `/prompts/${inFront}/fork`, {})).body.slug;
  expect((await there("GET", `/prompts/${copied}`)).body.model).toBe(`@${both}/m`);
});

it("a prompt that is shared is answered by no other integration, whatever its provider is called", async () => {
  const slug = await ownIntegration(here, "same-name");
  await ownIntegration(there, slug);
  for (const body of [{ virtual_key: slug }, { virtual_key: "simulator", model: `@${slug}/m` }]) {
    const ref = await shared(body);
    const refused = await complete(there, ref);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      403,
      expect.stringContaining("provider_not_available"),
    ]);
    expect(await complete(there, "pp-x", { prompt_id: ref })).toMatchObject({ status: 403 });
    expect((await there("POST", `/prompts/${ref}/fork`, {})).body.error).toMatchObject({
      code: "AB01",
      param: "virtual_key",
    });
    // Whoever names a provider has named one.
    expect((await complete(there, ref, { provider: `@${both}` })).status).toBe(200);
  }
});

it("a prompt that is shared finds what its recipient has by now", async () => {
  const going = await provider(here, "going");
  const slug = await shared({ virtual_key: going });
  await there("DELETE", `/providers/${both}`);
  expect((await complete(there, slug)).status).toBe(403);
  const next = await provider(there, "next");
  expect((await complete(there, slug)).status).toBe(200);
  expect(providerOfLast()).toBe(next);
  await here("DELETE", `/providers/${going}`);
  expect((await complete(there, slug)).status).toBe(403);
});

it("a model that is not on the list of its provider is refused, one that is on it is asked", async () => {
  await admin("PUT", `/integrations/${integration.slug}/models`, {
    allow_all_models: false,
    models: [{ slug: "m", enabled: true }],
  });
  const { slug } = await make({ virtual_key: mine });
  expect((await complete(here, slug)).status).toBe(200);
  const { slug: unlisted } = await make({ virtual_key: mine, model: "n" });
  expect(await complete(here, unlisted)).toMatchObject({ status: 403 });
});
