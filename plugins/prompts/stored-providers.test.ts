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

it("a prompt that is shared is answered by the recipient's provider of that name, and by nobody else's", async () => {
  const [one, two] = [await make({ virtual_key: mine }), await make({ virtual_key: both })];
  for (const { slug } of [one, two]) await here("POST", `/prompts/${slug}/share`, { visibility: "organisation" });
  expect((await complete(there, two.slug)).status).toBe(200);
  const refused = await complete(there, one.slug);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    403,
    expect.stringContaining("provider_not_available"),
  ]);
  expect(await complete(there, "pp-x", { prompt_id: one.slug })).toMatchObject({ status: 403 });
  expect((await there("POST", `/prompts/${one.slug}/fork`, {})).body.error).toMatchObject({
    code: "AB01",
    param: "virtual_key",
  });
  expect((await there("POST", `/prompts/${two.slug}/fork`, {})).status).toBe(200);
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
