import jsonLogic from "json-logic-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Asked, exchangeOf, refusalOf } from "../../test/support/walks.ts";
import { factsOf } from "./facts.ts";
import { compileJsonLogic } from "./json-logic.ts";
import { Mistakes } from "./mistakes.ts";

function compile(expression: unknown) {
  const mistakes = new Mistakes("l");
  const holds = compileJsonLogic(expression, mistakes);
  return { mistakes: mistakes.found, ask: (asked: Asked) => holds(factsOf(exchangeOf(asked))) };
}

const asked: Asked = {
  url: "/v1/chat/completions?x=1",
  metadata: { plan: "gold", region: "eu" },
  request: {
    json: {
      model: "best",
      max_tokens: 4001,
      stop: ["a", "b"],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "image_url" }, { type: "text", text: "What is this?" }] },
      ],
      own: { constructor: "mine" },
    },
  },
};

const v = (path: string, ...more: unknown[]) => ({ var: more.length > 0 ? [path, ...more] : path });

describe("an expression", () => {
  it.each<[unknown, boolean]>([
    [true, true],
    [false, false],
    [{ "==": [v("metadata.plan"), "gold"] }, true],
    [{ "===": [v("params.max_tokens"), 4001] }, true],
    [{ "===": [v("params.max_tokens"), "4001"] }, false],
    [{ "==": [v("url.pathname"), "/v1/chat/completions"] }, true],
    [{ ">": [v("params.max_tokens"), 4000] }, true],
    [{ "<": [1, v("params.max_tokens"), 4000] }, false],
    [{ in: [v("metadata.region"), ["eu", "us"]] }, true],
    [{ in: ["chat", v("url.pathname")] }, true],
    [{ and: [{ "==": [v("metadata.plan"), "gold"] }, { "!=": [v("params.model"), "best"] }] }, false],
    [{ or: [{ "==": [v("metadata.plan"), "team"] }, { "!": v("params.tools") }] }, true],
    [{ if: [v("metadata.none"), false, v("params.stream"), false, true] }, true],
    [{ "?:": [v("metadata.plan"), true, false] }, true],
    [{ "==": [v("metadata.none", "free"), "free"] }, true],
    [{ "==": [v("params.messages.1.content.0.type"), "image_url"] }, true],
    [{ ">": [{ "+": [v("params.max_tokens"), 1000] }, 5000] }, true],
    [{ "==": [{ cat: [v("metadata.plan"), "-", v("metadata.region")] }, "gold-eu"] }, true],
    [{ "==": [{ substr: [v("params.model"), 0, 2] }, "be"] }, true],
    [{ "==": [{ max: [1, v("params.stop.length"), 0] }, 2] }, true],
    [{ in: ["c", { merge: [v("params.stop"), ["c"]] }] }, true],
    [{ missing: ["metadata.plan", "metadata.none"] }, true],
    [{ missing: "metadata.plan" }, false],
    [{ missing: [{ merge: ["metadata.plan", ["params.model"]] }] }, false],
    [{ missing_some: [1, ["metadata.none", "metadata.plan"]] }, false],
    [{ missing_some: [2, ["metadata.none", "metadata.plan"]] }, true],
    [{ some: [v("params.messages"), { "==": [v("role"), "user"] }] }, true],
    [{ all: [v("params.messages"), { "==": [v("role"), "user"] }] }, false],
    [{ none: [v("params.messages"), { "==": [v("role"), "tool"] }] }, true],
    [{ some: [v("params.messages"), { some: [v("content"), { "==": [v("type"), "image_url"] }] }] }, true],
    [{ "==": [{ reduce: [[1, 2, 3], { "+": [v("current"), v("accumulator")] }, 0] }, 6] }, true],
    [{ in: [4, { map: [[1, 2], { "*": [v(""), 2] }] }] }, true],
    [{ filter: [v("params.stop"), { "==": [v(""), "z"] }] }, false],
    [{ map: [[1]] }, true],
    [{ some: v("params.stop") }, false],
    [[], false],
    [{ a: 1, b: 2 }, true],
    [{ "==": [{ a: 1, b: 2 }, null] }, false],
  ])("%j is %j", (expression, expected) => {
    const { ask, mistakes } = compile(expression);
    expect(mistakes).toEqual([]);
    expect(ask(asked)).toBe(expected);
  });

  it("has no params where there is no body", () => {
    expect(compile({ "!": v("params.model") }).ask({})).toBe(true);
  });

  it("does not read the body unless it asks about it", () => {
    const request = {
      get json() {
        throw new Error("read");
      },
    };
    expect(compile({ "==": [v("metadata.plan"), "gold"] }).ask({ ...asked, request })).toBe(true);
  });

  it("that makes no sense of its data is not true", () => {
    const { ask } = compile({ "==": ["x", v("params.odd")] });
    expect(ask({ request: { json: { odd: { toString: 1, valueOf: 1 } } } })).toBe(false);
  });
});

describe("reading variables", () => {
  const escapes = [
    "constructor",
    "metadata.constructor",
    "metadata.constructor.name",
    "metadata.constructor.constructor",
    "params.__proto__",
    "params.model.constructor",
    "params.stop.map",
    "metadata.toString",
    "url.hasOwnProperty",
  ];

  it.each(escapes)("finds nothing at %s, where the library itself would", (path) => {
    const data = factsOf(exchangeOf(asked));
    expect(jsonLogic.apply(v(path), data)).not.toBeNull();
    expect(compile(v(path)).ask(asked)).toBe(false);
    expect(compile({ "==": [v(path, "nothing"), "nothing"] }).ask(asked)).toBe(true);
    expect(compile({ missing: [path] }).ask(asked)).toBe(true);
    expect(compile({ missing_some: [1, [path]] }).ask(asked)).toBe(true);
    expect(compile({ var: [{ cat: [path] }] }).ask(asked)).toBe(false);
  });

  it("finds own properties of such names", () => {
    expect(compile({ "==": [v("params.own.constructor"), "mine"] }).ask(asked)).toBe(true);
  });

  it("leaves the library's own operations as they are", () => {
    expect(jsonLogic.apply({ var: "a" }, { a: 1 })).toBe(1);
    expect(jsonLogic.apply({ missing: ["a", "b"] }, { a: 1 })).toEqual(["b"]);
  });

  it("never takes what a client sent for an expression", () => {
    const request = { json: { keys: [{ log: "x" }, { var: "metadata.plan" }], path: { var: "metadata.plan" } } };
    const log = vi.spyOn(console, "log").mockReturnValue();
    for (const expression of [
      { missing: [v("params.keys")] },
      { missing_some: [1, v("params.keys")] },
      { some: [v("params.keys"), v("")] },
      v("params.path"),
      { var: [v("params.path")] },
    ])
      expect(() => compile(expression).ask({ ...asked, request })).not.toThrow();
    expect(compile({ "==": [{ var: [v("params.path")] }, "gold"] }).ask({ ...asked, request })).toBe(false);
    expect(log).not.toHaveBeenCalled();
  });
});

describe("an expression that cannot be asked", () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { "!": [deep(levels - 1)] });

  it.each<[string, unknown]>([
    ["log", { log: "x" }],
    ["method", { method: ["x", "toString"] }],
    ["var.prototype.constructor", { "var.prototype.constructor": [] }],
    ["sluice:var", { "sluice:var": "metadata" }],
    ["constructor", { constructor: [] }],
    ["__proto__", JSON.parse('{"__proto__": []}')],
    ["hasOwnProperty", { and: [true, { some: [[1], { hasOwnProperty: [] }] }] }],
  ])("uses %s", (name, expression) => {
    expect(compile(expression).mistakes).toEqual([
      { path: "l", message: `unknown operation ${JSON.stringify(name)}`, fatal: true },
    ]);
  });

  it.each<[string, unknown]>([
    ["has too many parts", { in: [1, Array(1000).fill(2)] }],
    ["is nested too deep", deep(60)],
    ["is nested far too deep", deep(3000)],
  ])("%s", (_, expression) => {
    expect(compile(expression).mistakes).toMatchObject([
      { message: expect.stringContaining("too large"), fatal: true },
    ]);
  });
});

describe("an expression that would take for ever", () => {
  const list = Array(100).fill(1);
  const inLoops = (loops: number): unknown =>
    loops === 0 ? { "+": [1, 1] } : { reduce: [list, inLoops(loops - 1), 0] };

  afterEach(() => vi.restoreAllMocks());

  it.each<[string, unknown]>([
    ["loops in loops", inLoops(5)],
    ["loops over bodies of clients", { map: [v("params.many"), { map: [list, { map: [list, 1] }] }] }],
    ["texts that double", { reduce: [list, { cat: [v("accumulator"), v("accumulator")] }, "x"] }],
    ["lists that double", { reduce: [list, { merge: [v("accumulator"), v("accumulator")] }, [1]] }],
    ["bodies turned into text again and again", { some: [list, { in: ["z", { cat: [v("x", 0)] }] }, inLoops(4)] }],
    ["a body looked at whole, often", { all: [v("params.many"), { missing: ["a"] }] }],
    ["long texts searched often", { some: [list, { some: [list, { in: ["z", "zz"] }] }] }],
  ])("is stopped or done in time: %s", (_, expression) => {
    const { ask, mistakes } = compile(expression);
    expect(mistakes).toEqual([]);
    const request = { json: { many: Array(50_000).fill({ text: "x".repeat(100) }) } };
    expect([undefined, "config_invalid"]).toContain(refusalOf(() => ask({ ...asked, request })));
  });

  it.each<[string, unknown]>([
    ["loops in loops", inLoops(3)],
    ["texts that double", { reduce: [list, { cat: [v("accumulator"), v("accumulator")] }, "x"] }],
    ["lists that double", { reduce: [list, { merge: [v("accumulator"), v("accumulator")] }, [1]] }],
    ["a large body as a whole", { "==": [v("params"), 1] }],
  ])("ends the request with a mistake of the config: %s", (_, expression) => {
    const request = { json: { many: Array(250_000).fill(1) } };
    expect(refusalOf(() => compile(expression).ask({ ...asked, request }))).toBe("config_invalid");
  });

  it("does not make the next one poorer", () => {
    for (let at = 0; at < 5; at++) expect(compile(inLoops(1)).ask(asked)).toBe(true);
    expect(refusalOf(() => compile(inLoops(3)).ask(asked))).toBe("config_invalid");
    expect(compile(inLoops(1)).ask(asked)).toBe(true);
  });
});
