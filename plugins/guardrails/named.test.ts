import { beforeAll, describe, expect, it } from "vitest";
import { type Caller, openManagement, type TestManagement } from "../../test/support/management.ts";
import { startEcho } from "./testing.ts";

let management: TestManagement;
let own: Caller;

beforeAll(async () => {
  const echo = await startEcho(() => undefined);
  const ofTheFile = { checks: noWord("gin"), actions: { deny: true } };
  management = await openManagement(
    {
      routing: {},
      "format-openai-chat": {},
      checks: {},
      configs: {},
      "guardrail-records": { guardrails: { "of-the-file": ofTheFile } },
      guardrails: {},
    },
    { providers: { openai: { apiKey: "vendor-key-0123", baseUrl: `${echo.url}/v1` } } },
  );
  own = management.as({ workspace: management.workspace.id });
  return async () => {
    await management.close();
    echo.close();
  };
});

const noWord = (word: string) => [{ id: "default.contains", parameters: { words: [word], operator: "none" } }];

interface Made {
  readonly id: string;
  readonly slug: string;
  readonly version_id: string;
}

const make = async (word: string, actions: object = { deny: true }): Promise<Made> =>
  (await own("POST", "/guardrails", { name: `no ${word}`, checks: noWord(word), actions })).body;
const change = async ({ slug }: Made, body: object): Promise<Made> =>
  (await own("PUT", `/guardrails/${slug}`, body)).body;

const ask = async (content: string, config: object) => {
  const { organisation, workspace } = management;
  const response = await fetch(`${management.gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-test-principal": JSON.stringify({ id: "caller", organisation, workspace: workspace.id }),
      "x-gateway-config": JSON.stringify({ provider: "@openai", ...config }),
    },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }] }),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  return { status: response.status, message: error?.message };
};
const statusOf = async (content: string, config: object) => (await ask(content, config)).status;

describe.each([
  ["an object of a list", (hook: object) => ({ input_guardrails: [hook] })],
  ["a hook", (hook: object) => ({ before_request_hooks: [hook] })],
])("a kept guardrail named by %s", (_, config) => {
  it("is met, as one named by its slug is", async () => {
    const { slug } = await make("tea");
    expect(await statusOf("tea", config({ id: slug }))).toBe(446);
    expect(await statusOf("coffee", config({ id: slug }))).toBe(200);
  });

  it("is met in the version that is asked for, and otherwise in the newest", async () => {
    const first = await make("tea");
    const second = await change(first, { checks: noWord("milk") });
    const third = await change(first, { name: "no milk" });
    const { slug } = first;
    expect(new Set([first.version_id, second.version_id, third.version_id]).size).toBe(3);
    const statuses = (guardrail_version_id?: string) =>
      Promise.all(["tea", "milk"].map((said) => statusOf(said, config({ id: slug, guardrail_version_id }))));
    expect(await statuses()).toEqual([200, 446]);
    expect(await statuses(first.version_id)).toEqual([446, 200]);
    expect(await statuses(second.version_id)).toEqual([200, 446]);
    expect(await statuses(third.version_id)).toEqual([200, 446]);
    expect(await statusOf("tea", config({ id: slug, guardrailVersionId: first.version_id }))).toBe(446);
  });

  it("does what the config says beside, whatever it says itself", async () => {
    const { slug } = await make("tea", {});
    const other = await make("tea");
    expect(await statusOf("tea", config({ id: slug }))).toBe(246);
    expect(await statusOf("tea", config({ id: slug, deny: true }))).toBe(446);
    expect(await statusOf("tea", config({ id: slug, on_fail: "deny" }))).toBe(446);
    expect(await statusOf("tea", config({ id: other.slug, deny: false }))).toBe(246);
    expect(await statusOf("tea", config({ id: other.slug, soft_deny_200: true }))).toBe(200);
  });

  it("follows its changes, with what is said beside", async () => {
    const made = await make("tea", {});
    const said = config({ id: made.slug, deny: true });
    expect([await statusOf("tea", said), await statusOf("milk", said)]).toEqual([446, 200]);
    await change(made, { checks: noWord("milk") });
    expect([await statusOf("tea", said), await statusOf("milk", said)]).toEqual([200, 446]);
  });

  it("is a mistake where there is no such version, or no such guardrail", async () => {
    const [one, other] = [await make("tea"), await make("milk")];
    const version = (id: string, guardrail_version_id: string) => ask("hi", config({ id, guardrail_version_id }));
    for (const [id, asked] of [
      [one.slug, other.version_id],
      [one.slug, crypto.randomUUID()],
      [one.slug, "1"],
      ["of-the-file", one.version_id],
    ] as const)
      expect(await version(id, asked)).toEqual({
        status: 400,
        message: expect.stringContaining(`There is no version "${asked}" of a guardrail "${id}"`),
      });
    expect(await ask("hi", config({ id: "pg-none-000000" }))).toMatchObject({ status: 400 });
    expect((await own("DELETE", `/guardrails/${one.slug}`)).status).toBe(200);
    expect((await version(one.slug, one.version_id)).status).toBe(400);
    expect(await statusOf("gin", config({ id: "of-the-file" }))).toBe(446);
  });
});

it("a config that is kept is refused for a guardrail there is not, whatever is said beside", async () => {
  const { slug } = await make("tea");
  const keep = (hook: object) =>
    own("POST", "/configs", { name: "kept", config: { provider: "@openai", input_guardrails: [hook] } });
  expect((await keep({ id: slug, deny: false })).status).toBe(200);
  const { status, body } = await keep({ id: "pg-none-000000", deny: true });
  expect([status, body.error.param]).toEqual([400, "config.input_guardrails[0].id"]);
});

it("a guardrail everybody meets is not made weaker by a config that names it", async () => {
  const made = await make("tea");
  await change(made, { checks: noWord("milk") });
  const { workspace } = management;
  const defaults = (input_guardrails: string[]) =>
    management.admin("PUT", `/admin/workspaces/${workspace.id}`, { defaults: { input_guardrails } });
  await defaults([made.slug]);
  const weaker = { input_guardrails: [{ id: made.slug, deny: false }] };
  const older = { input_guardrails: [{ id: made.slug, guardrail_version_id: made.version_id }] };
  expect([await statusOf("milk", weaker), await statusOf("milk", older)]).toEqual([446, 446]);
  await defaults([]);
});

it("an object that has neither a check nor an id is a mistake", async () => {
  expect(await ask("hi", { input_guardrails: [{ deny: true }] })).toEqual({
    status: 400,
    message: expect.stringContaining("has no check: write one under its name, or say with id which kept guardrail"),
  });
});
