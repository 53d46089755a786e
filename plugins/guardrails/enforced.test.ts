import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Principal, Records } from "../../core/index.ts";
import { type Caller, openManagement, type TestManagement } from "../../test/support/management.ts";
import { guardrailStore } from "../guardrail-records/guardrail-store.ts";
import { heard, type Results, startEcho } from "./testing.ts";

let management: TestManagement;
let admin: Caller;
let own: Caller;
let other: string;
const received: string[] = [];

beforeAll(async () => {
  const echo = await startEcho((words) => received.push(words));
  management = await openManagement(
    {
      routing: {},
      "strategy-fallback": {},
      "format-openai-chat": {},
      proxy: {},
      checks: {},
      "guardrail-records": {},
      guardrails: {},
    },
    { providers: { openai: { apiKey: "vendor-key-0123", baseUrl: `${echo.url}/v1` } } },
  );
  ({ admin } = management);
  own = management.as({ workspace: management.workspace.id });
  other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body.uuid;
  return async () => {
    await management.close();
    echo.close();
  };
});

const noWord = (word: string) => [{ id: "default.contains", parameters: { words: [word], operator: "none" } }];
const makeOf = async (caller: Caller, word: string, body: object = {}): Promise<{ id: string; slug: string }> =>
  (await caller("POST", "/guardrails", { name: `no ${word}`, checks: noWord(word), actions: { deny: true }, ...body }))
    .body;
const ofOrganisation = (word: string) => makeOf(admin, word, { organisation_id: management.organisation });

const setDefaults = (input_guardrails: string[], output_guardrails: string[] = []) =>
  admin("PUT", "/admin/organisation/defaults", { input_guardrails, output_guardrails });
const exclude = (side: string, workspaces: string[]) =>
  admin("PUT", `/workspace-exclusions/${side}-guardrails`, {
    workspaces: workspaces.map((workspace_id) => ({ workspace_id, excluded: true })),
    override_existing: true,
  });

const ask = async (
  content: string,
  config: object = {},
  more: { who?: Partial<Principal>; headers?: Record<string, string>; stream?: boolean; path?: string } = {},
) => {
  const {
    who = { workspace: management.workspace.id },
    headers = {},
    stream = false,
    path = "/v1/chat/completions",
  } = more;
  const response = await fetch(`${management.gateway.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-test-principal": JSON.stringify({ id: "caller", organisation: management.organisation, ...who }),
      "x-gateway-config": JSON.stringify({ provider: "@openai", ...config }),
      ...headers,
    },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }], stream }),
  });
  const text = await response.text();
  const results = text.startsWith("{") ? (JSON.parse(text).hook_results as Results | undefined) : undefined;
  return {
    status: response.status,
    text,
    before: results?.before_request_hooks ?? [],
    after: results?.after_request_hooks ?? [],
  };
};
const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

beforeEach(async () => {
  await setDefaults([]);
  await exclude("input", []);
  await exclude("output", []);
  await admin("PUT", `/admin/workspaces/${management.workspace.id}`, {
    defaults: { input_guardrails: [], output_guardrails: [] },
  });
});

describe("guardrails everybody meets", () => {
  it("are the organisation's and the workspace's, after those of the config, each once", async () => {
    const [tea, gin] = [await ofOrganisation("tea"), await makeOf(own, "gin")];
    await setDefaults([tea.slug]);
    await admin("PUT", `/admin/workspaces/${management.workspace.id}`, {
      defaults: { input_guardrails: [gin.slug, tea.slug] },
    });
    const inline = { id: "mine", contains: { words: ["x"], operator: "none" } };
    expect(ids((await ask("hi", { input_guardrails: [inline, tea.slug] })).before)).toEqual([
      "mine",
      tea.slug,
      gin.slug,
    ]);
    expect((await ask("gin")).status).toBe(446);
    expect(ids((await ask("hi", {}, { who: { workspace: other } })).before)).toEqual([tea.slug]);
  });

  it.each<[string, object]>([
    ["a mutator", { input_mutators: [{ "default.addPrefix": { prefix: "tea " } }] }],
    ["a guardrail", { input_guardrails: [{ "default.regexReplace": { rule: "hi", redactText: "tea" } }] }],
    [
      "a hook that is named beside them",
      { before_request_hooks: [{ id: "x", checks: [{ id: "default.addPrefix", parameters: { prefix: "tea " } }] }] },
    ],
  ])("judge what %s of the config makes of the request", async (_, config) => {
    const tea = await ofOrganisation("tea");
    expect((await ask("hi", config)).status).toBe(200);
    await setDefaults([tea.slug]);
    received.length = 0;
    const denied = await ask("hi", config);
    expect([denied.status, received]).toEqual([446, []]);
    expect(denied.before.filter(({ id }) => id === tea.slug)).toMatchObject([{ verdict: false, deny: true }]);
    expect((await ask("hi", { input_guardrails: [tea.slug], ...config })).status).toBe(446);
    expect((await ask("ho", { input_mutators: [{ "default.addPrefix": { prefix: "x " } }] })).status).toBe(200);
    expect(received).toEqual(["x ho"]);
  });

  it("change what the config adds to the request", async () => {
    const checks = [{ id: "default.regexReplace", parameters: { rule: "/tea/g", redactText: "[T]" } }];
    const hides = await makeOf(admin, "hides", { organisation_id: management.organisation, checks });
    await setDefaults([hides.slug]);
    received.length = 0;
    const said = await ask("tea", { input_mutators: [{ "default.addPrefix": { prefix: "more tea " } }] });
    expect(received).toEqual(["more [T] [T]"]);
    expect(said.before.filter(({ id }) => id === hides.slug)).toMatchObject([{ transformed: true }]);
  });

  it("are not the organisation's for workspaces that are left out of them", async () => {
    const tea = await ofOrganisation("tea");
    await setDefaults([tea.id], [tea.id]);
    await exclude("input", [management.workspace.slug]);
    const said = await ask("hi");
    expect([ids(said.before), ids(said.after)]).toEqual([[], [tea.slug]]);
    expect((await ask("tea", {}, { who: { workspace: other } })).status).toBe(446);
  });

  it.each<[string, (slug: string) => object]>([
    ["an empty list", () => ({ input_guardrails: [], before_request_hooks: [] })],
    ["one of the same name that is written out", (id) => ({ input_guardrails: [{ id, deny: false }] })],
    ["the same as a hook of no checks", (id) => ({ before_request_hooks: [{ id, type: "guardrail", checks: [] }] })],
    [
      "one of its name nobody waits for",
      (id) => ({ input_guardrails: [{ id, async: true, contains: { words: ["q"] } }] }),
    ],
    ["the same as a mutator", (slug) => ({ input_mutators: [slug] })],
    [
      "a target of its own",
      () => ({
        strategy: { mode: "fallback" },
        provider: undefined,
        targets: [{ provider: "@openai", input_guardrails: [] }],
      }),
    ],
    ["the fields that carry defaults inside", () => ({ default_input_guardrails: [] })],
  ])("cannot be switched off by a config: %s", async (_, config) => {
    const tea = await ofOrganisation("tea");
    await setDefaults([tea.slug]);
    const calls = received.length;
    const { status } = await ask("tea", config(tea.slug));
    expect([400, 446]).toContain(status);
    expect(received.length).toBe(calls);
  });

  it.each<[string, Record<string, string>]>([
    ["nitro mode", { "x-gateway-nitro-mode": "true" }],
    ["headers that carry defaults", { "x-gateway-default-input-guardrails": "[]" }],
  ])("cannot be switched off by a header: %s", async (_, headers) => {
    await setDefaults([(await ofOrganisation("tea")).slug]);
    const calls = received.length;
    expect([400, 446]).toContain((await ask("tea", {}, { headers })).status);
    expect(received.length).toBe(calls);
  });

  it("guard answers and streams", async () => {
    const tea = await ofOrganisation("tea");
    await setDefaults([], [tea.slug]);
    expect((await ask("tea", { output_guardrails: [] })).status).toBe(446);
    const streamed = await ask("some tea", {}, { stream: true });
    expect(heard(streamed.text)).not.toContain("te");
  });

  it("leave what is sent on unread to checks that need no body, of which there can be one that refuses it", async () => {
    await setDefaults([(await ofOrganisation("tea")).slug]);
    expect((await ask("tea", {}, { path: "/v1/proxy/chat/completions" })).status).toBe(200);
  });

  it("take effect as they are changed, and as soon as they are deleted from the defaults", async () => {
    const tea = await ofOrganisation("tea");
    await setDefaults([tea.slug]);
    expect((await ask("gin")).status).toBe(200);
    await admin("PUT", `/guardrails/${tea.slug}`, { checks: noWord("gin") });
    expect((await ask("gin")).status).toBe(446);
    await setDefaults([]);
    expect((await ask("gin")).status).toBe(200);
  });

  it("that are gone are passed over and told of once, and those beside them are met", async () => {
    const records = management.gateway.generation.kernel.offered(Records) ?? expect.fail();
    const store = guardrailStore({ records });
    const [tea, gin, cup] = [await ofOrganisation("tea"), await makeOf(own, "gin"), await ofOrganisation("cup")];
    await setDefaults([tea.id, cup.id], [tea.id, cup.id]);
    await admin("PUT", `/admin/workspaces/${management.workspace.id}`, {
      defaults: { input_guardrails: [tea.id, gin.id] },
    });
    const known = await store.get(management.organisation, tea.id);
    // As it is left where a process ends between the two.
    await store.remove(known ?? expect.fail());
    const fine = await ask("some tea");
    expect([fine.status, ids(fine.before), ids(fine.after)]).toEqual([200, [cup.slug, gin.slug], [cup.slug]]);
    expect([(await ask("a cup")).status, (await ask("gin")).status]).toEqual([446, 446]);
    const told = management.gateway.log.lines.filter(({ fields }) => fields?.guardrail === tea.id);
    expect(told).toHaveLength(1);
    expect((await ask("hi", { input_guardrails: [tea.id] })).status).toBe(400);
    expect((await admin("GET", "/admin/organisation/defaults")).body.input_guardrails).toEqual([
      { id: tea.id, slug: null },
      { id: cup.id, slug: cup.slug },
    ]);
    expect((await setDefaults([cup.id])).status).toBe(200);
  });
});
