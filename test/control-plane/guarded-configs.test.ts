import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, openManagement, type TestManagement } from "../support/management.ts";

const leaf = { provider: "@simulator" };
const check = { id: "default.contains", parameters: { words: ["tea"], operator: "none" } };
const hook = { type: "guardrail", id: "no-tea", deny: true, checks: [check] };
/** By its text, as objects with a `then` are promises to some. */
const conditional = (more: string) => ({
  strategy: JSON.parse(`{"mode":"conditional","conditions":[{${more},"then":"a"}],"default":"a"}`),
  targets: [{ name: "a", ...leaf }],
});
const misspelt = { words: ["tea"], operatr: "none" };
const mistyped = '"query":{"params.model":"m"},"than":"a"';

let management: TestManagement;
let own: Caller;

beforeAll(async () => {
  management = await openManagement(
    {
      encryption: { key: "5e".repeat(32) },
      routing: {},
      "strategy-conditional": {},
      checks: {},
      "guardrail-records": {},
      guardrails: {},
      configs: {},
      "format-openai-chat": {},
    },
    { providers: { simulator: {} } },
  );
  own = management.as({ workspace: management.workspace.id });
});
afterAll(() => management.close());

const save = (config: object) => own("POST", "/configs", { name: "Guarded", config });

describe("a config that is kept", () => {
  it("names guardrails that are there, as slugs and as hooks of nothing else", async () => {
    const { body } = await own("POST", "/guardrails", { name: "Kept", checks: [check], actions: { deny: true } });
    const config = { ...leaf, before_request_hooks: [{ id: body.slug }, hook], input_guardrails: [body.slug] };
    expect((await save(config)).status).toBe(200);
  });

  it.each<[string, object, string]>([
    [
      "a hook of a guardrail there is not",
      { ...leaf, before_request_hooks: [{ id: "pg-x" }] },
      "before_request_hooks[0].id",
    ],
    ["one behind others", { ...leaf, afterRequestHooks: [hook, { id: "pg-x" }] }, "afterRequestHooks[1].id"],
    [
      "a hook with a mistyped name",
      { ...leaf, before_request_hooks: [{ ...hook, denny: true }] },
      "before_request_hooks[0].denny",
    ],
    [
      "a check with one",
      { ...leaf, after_request_hooks: [{ ...hook, checks: [{ ...check, isEnabled: false }] }] },
      "after_request_hooks[0].checks[0].isEnabled",
    ],
    ["a condition with one", conditional(mistyped), "strategy.conditions[0].than"],
    [
      "a parameter of a check that is meant for another",
      { ...leaf, before_request_hooks: [{ ...hook, checks: [{ ...check, parameters: misspelt }] }] },
      "before_request_hooks[0].checks[0].parameters.operatr",
    ],
    [
      "one of a check under its name",
      { ...leaf, outputGuardrails: [{ "default.contains": misspelt }] },
      "outputGuardrails[0].default.contains.operatr",
    ],
  ])("is refused for %s", async (_, config, param) => {
    expect(await save(config)).toMatchObject({ status: 400, body: { error: { param: `config.${param}` } } });
  });

  it("is taken with the names of older clients, and of JSON logic", async () => {
    const older = { ...hook, onFail: "block", message: "No tea.", checks: [{ ...check, name: "Tea" }] };
    expect((await save({ ...leaf, before_request_hooks: [older] })).status).toBe(200);
    const logic = '"jsonLogic":{"==":[{"var":"params.model"},"m"]}';
    expect((await save(conditional(logic))).status).toBe(200);
  });
});

it("a caller's config loses what nobody knows, and is met all the same", async () => {
  const ask = (config: object) =>
    own(
      "POST",
      "/chat/completions",
      { model: "m", messages: [{ role: "user", content: "tea" }] },
      { "x-gateway-config": JSON.stringify(config) },
    );
  expect((await ask({ ...leaf, before_request_hooks: [{ ...hook, denny: true }] })).status).toBe(446);
  expect((await ask(conditional(mistyped))).status).toBe(200);
  expect((await ask({ ...leaf, input_guardrails: [{ "default.contains": misspelt, deny: true }] })).status).toBe(200);
});

it.each(["soft_deny_200", "softDeny200"])("a hook denies softly by %s", async (name) => {
  const config = { ...leaf, beforeRequestHooks: [{ ...hook, [name]: true }] };
  const { status, body } = await own(
    "POST",
    "/chat/completions",
    { model: "m", messages: [{ role: "user", content: "tea" }] },
    { "x-gateway-config": JSON.stringify(config) },
  );
  expect([status, body.choices[0].finish_reason]).toEqual([200, "content_filter"]);
});
