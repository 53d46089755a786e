import { describe, expect, it, onTestFinished } from "vitest";
import { json, startUpstream } from "../../test/support/upstream.ts";
import { chat, heard, startGuarded } from "./testing.ts";

const odd = (does: string, more: object = {}) => ({ "test.odd": { does, ...more } });

describe("a check that goes wrong", () => {
  it.each<[string, string, string]>([
    ["throw", "Check error", "The check could not be run."],
    ["refuse", "NotToday", "Not today."],
    ["hang", "TimeoutError", "The check took longer than 40 ms."],
    ["garbage", "NoVerdict", "The check gave no verdict."],
    ["maybe", "NoVerdict", "The check gave no verdict."],
    ["numbers", "NoTexts", "The check gave something else than texts in their place."],
    ["no body", "Check error", "The check could not be run."],
  ])("%s: is an error that passes, unless it is to fail", async (does, name, message) => {
    const { ask, received } = await startGuarded({ options: "{ deadline: 40 }" });
    for (const side of ["input", "output"] as const)
      for (const stream of [false, true]) {
        const list = `${side}_guardrails`;
        const passed = await ask({ [list]: [{ ...odd(does), deny: true }] }, chat("tea 12", { stream }));
        expect([side, passed.status]).toEqual([side, 200]);
        expect(stream ? heard(passed.text) : passed.text).toContain("tea 12");
        const results = passed.json.hook_results;
        const [entry] = [...(results?.before_request_hooks ?? []), ...(results?.after_request_hooks ?? [])];
        if (!stream)
          expect(entry).toMatchObject({
            verdict: true,
            deny: false,
            checks: [{ verdict: false, error: { name, message } }],
          });
        const calls = received.length;
        const denied = await ask(
          { [list]: [{ ...odd(does, { failOnError: true }), deny: true }] },
          chat("tea 12", { stream }),
        );
        expect([side, denied.status, received.length - calls]).toEqual([side, 446, side === "input" ? 0 : 1]);
        expect(denied.text).not.toContain("tea 12");
        expect(denied.text).not.toContain("secret");
      }
  });

  it.each(["large", "huge error", "loop", "number"])("%s: does not fill answers and records", async (does) => {
    const { ask } = await startGuarded();
    for (const side of ["input", "output"]) {
      const { status, text, json } = await ask({ [`${side}_guardrails`]: [odd(does)] }, chat("tea"));
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(10_000);
      const { before_request_hooks: before = [], after_request_hooks: after = [] } = json.hook_results ?? {};
      expect([...before, ...after][0]?.checks[0]?.data).toMatchObject({ truncated: true });
    }
  });

  it("in a stream that was let go on: what it denies later is denied all the same", async () => {
    const { ask } = await startGuarded();
    const check = { "test.fickle": { word: "tea" }, deny: true };
    const { text, status } = await ask({ output_guardrails: [check] }, chat("one oops two tea", { stream: true }));
    expect(status === 446 || text.includes("hooks_failed")).toBe(true);
    const passed = await ask({ output_guardrails: [check] }, chat("one oops two", { stream: true }));
    expect(heard(passed.text)).toBe("one oops two");
  });

  it("that has no verdict at once is not taken for one that passes, however it is held", async () => {
    const { ask } = await startGuarded();
    for (const id of ["test.odd", "test.promised"])
      for (const verdict of [false, true, false]) {
        const check = { [id]: { does: "late", verdict, hold: { characters: 4 } }, deny: true };
        const { status, text } = await ask({ output_guardrails: [check] }, chat("some text", { stream: true }));
        if (status === 446) expect(text).toContain("hooks_failed");
        else expect([verdict, heard(text)]).toEqual([true, "some text"]);
      }
  });
});

describe("what every check takes", () => {
  const surface = new URL("../../core/index.ts", import.meta.url).href;
  const echo = `
import { defineCheck, z } from "${surface}";
export default defineCheck({
  id: "own.parameters",
  summary: "Says what it was given.",
  parameters: z.object({ timeout: z.number().default(3), failOnError: z.boolean().default(false) }),
  run: (_, parameters) => ({ verdict: true, data: parameters }),
});
`;

  it.each<[object, object]>([
    [{}, { timeout: 3, failOnError: false }],
    [
      { timeout: 70, failOnError: true, soft_deny_200: true },
      { timeout: 70, failOnError: true },
    ],
  ])("is told to those that name it among their own: %j", async (given, data) => {
    const { ask } = await startGuarded({ plugins: "  own: { use: ./own.ts }", files: { "own.ts": echo } });
    const { json } = await ask({ input_guardrails: [{ "own.parameters": given }] }, chat("tea"));
    expect(json.hook_results?.before_request_hooks[0]?.checks[0]?.data).toEqual(data);
  });

  it.each([
    ["patronus.isPolite", {}, true],
    ["patronus.custom", { profile: "judge:mine" }, true],
    ["default.notNull", {}, false],
  ])("says what a check comes to on a side it is not for: %s", async (id, parameters, verdict) => {
    const { ask } = await startGuarded();
    const guardrail = { [id]: { ...parameters, failOnError: true }, deny: true };
    const { status, json } = await ask({ input_guardrails: [guardrail] }, chat("tea"));
    expect(status).toBe(verdict ? 200 : 446);
    expect(json.hook_results?.before_request_hooks[0]?.checks[0]).toMatchObject({
      verdict,
      error: { name: "NotForThisSide" },
    });
  });

  it("makes an image that cannot be had a failure where it says so", async () => {
    const { ask, received } = await startGuarded();
    const image = [{ type: "image_url", image_url: { url: "http://127.0.0.1:1/x.png" } }];
    const guardrail = (failOnError: boolean) => ({ "default.inlineImageUrls": { failOnError }, deny: true });
    expect((await ask({ input_guardrails: [guardrail(false)] }, chat(image))).status).toBe(200);
    expect((await ask({ input_guardrails: [guardrail(true)] }, chat(image))).status).toBe(446);
    expect(received).toHaveLength(1);
  });
});

describe("checks nobody waits for", () => {
  it("outlive the answer, and end up in the record", async () => {
    const { ask, ended } = await startGuarded({ options: "{ deadline: 100 }" });
    const later = (does: string) => ({ id: does, async: true, deny: true, ...odd(does, { verdict: false }) });
    for (const stream of [false, true]) {
      const record = ended();
      const config = { input_guardrails: [later("late")], output_guardrails: [later("hang"), later("throw")] };
      const { status, json } = await ask(config, chat("tea", { stream }));
      expect([status, json.hook_results]).toEqual([200, undefined]);
      const { before_request_hooks: before = [], after_request_hooks: after = [] } = (await record) ?? {};
      expect([...before, ...after].map(({ id, verdict, async }) => [id, verdict, async])).toEqual([
        ["late", false, true],
        ["hang", true, true],
        ["throw", true, true],
      ]);
    }
  });
});

it("a service that keeps silent until its check is given up has failed: it is not asked for a while after five times", async () => {
  const silent = await startUpstream(() => undefined);
  const { ask } = await startGuarded({ options: "{ deadline: 40 }" });
  const config = { input_guardrails: [{ "default.webhook": { webhookURL: silent.url } }] };
  const labels: unknown[] = [];
  for (let time = 0; time < 6; time++) {
    const { json } = await ask(config, chat("tea"));
    labels.push(json.hook_results?.before_request_hooks[0]?.checks[0]?.error?.name);
  }
  expect(labels).toEqual([...Array(5).fill("TimeoutError"), "CircuitOpen"]);
  expect(silent.received).toHaveLength(5);
});

it("any number of checks of a request ask somebody, and node is not told of a leak", async () => {
  const hook = await startUpstream((_, response) => json(response, 200, { verdict: true }));
  const { ask } = await startGuarded();
  const warnings: string[] = [];
  const warned = ({ name }: Error) => void warnings.push(name);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const asking = { "default.webhook": { webhookURL: hook.url } };
  expect((await ask({ input_guardrails: Array(12).fill(asking) }, chat("tea"))).status).toBe(200);
  expect(hook.received).toHaveLength(12);
  expect(warnings).not.toContain("MaxListenersExceededWarning");
});

describe("a thousand requests at once with a slow check", () => {
  it("all end in time, and leave nothing behind", async () => {
    const { ask } = await startGuarded({ options: "{ deadline: 300 }" });
    const config = { input_guardrails: [odd("hang")], output_guardrails: [odd("late")] };
    await ask(config, chat("tea"));
    const before = process.memoryUsage().heapUsed;
    const clocks = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const running = clocks();
    const said = await Promise.all(Array.from({ length: 1000 }, (_, at) => ask(config, chat(`tea ${at}`))));
    expect(new Set(said.map(({ status }) => status))).toEqual(new Set([200]));
    // One after the other, their deadlines alone would take longer than a test may.
    expect(clocks() - running).toBeLessThan(50);
    expect((process.memoryUsage().heapUsed - before) / 1000).toBeLessThan(200_000);
  }, 60_000);
});

describe("a thousand checks of one request", () => {
  const wrong = ["hang", "throw", "late", "garbage"] as const;
  const many = Array.from({ length: 1000 }, (_, at) => [`check${at}`, { id: "test.odd", does: wrong[at % 4] }]);
  const guardrail = { id: "many", deny: true, ...Object.fromEntries(many) };

  it.each(["input", "output"])("end together at their deadline, each with what became of it: %s", async (side) => {
    const configs = { many: { provider: "openai", [`${side}_guardrails`]: [guardrail] } };
    const { ask } = await startGuarded({ options: "{ deadline: 250 }", configs });
    const clocks = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = clocks();
    const { status, json } = await ask({}, chat("tea"), undefined, { "x-gateway-config": "many" });
    expect(status).toBe(200);
    const { before_request_hooks: input = [], after_request_hooks: output = [] } = json.hook_results ?? {};
    const [entry] = [...input, ...output];
    const names = entry?.checks.map(({ error }) => error?.name);
    expect(names).toEqual(many.map((_, at) => ["TimeoutError", "Check error", undefined, "NoVerdict"][at % 4]));
    expect(clocks() - before).toBeLessThan(50);
  });
});
