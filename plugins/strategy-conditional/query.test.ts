import { describe, expect, it } from "vitest";
import { type Asked, exchangeOf } from "../../test/support/walks.ts";
import { factsOf } from "./facts.ts";
import { Mistakes } from "./mistakes.ts";
import { compileQuery } from "./query.ts";

function ask(query: object, asked: Asked) {
  const mistakes = new Mistakes("q");
  const holds = compileQuery(query, mistakes)(factsOf(exchangeOf(asked)));
  return { holds, mistakes: mistakes.found };
}

const asked: Asked = {
  url: "/v1/chat/completions?x=/v1/embeddings",
  metadata: { plan: "gold", level: "12", "a.b": "dotted", empty: "" },
  request: {
    json: {
      model: "best",
      n: 2,
      max_tokens: "4001",
      temperature: 0,
      stream: false,
      user: null,
      stop: ["a"],
      response_format: { type: "text" },
      "a.b": 1,
    },
  },
};

describe("a query", () => {
  it.each<[object, boolean]>([
    [{ "metadata.plan": "gold" }, true],
    [{ "metadata.plan": "Gold" }, false],
    [{ "metadata.plan": { $eq: "gold" } }, true],
    [{ "params.n": 2 }, true],
    [{ "params.n": { $eq: "2" } }, false],
    [{ "params.stream": false }, true],
    [{ "params.temperature": 0 }, true],
    [{ "params.user": null }, true],
    [{ "params.user": { $ne: "x" } }, true],
    [{ "params.model": { $ne: "best" } }, false],
    [{ "params.model": { $ne: "other" } }, true],
    [{ "metadata.plan": { $in: ["team", "gold"] } }, true],
    [{ "metadata.plan": { $in: ["team"] } }, false],
    [{ "metadata.plan": { $in: "gold" } }, false],
    [{ "params.n": { $in: ["2"] } }, false],
    [{ "metadata.plan": { $nin: ["team"] } }, true],
    [{ "metadata.plan": { $nin: ["gold"] } }, false],
    [{ "metadata.plan": { $nin: "team" } }, false],
    // Numbers, or texts that begin with one.
    [{ "params.max_tokens": { $gt: 4000 } }, true],
    [{ "params.max_tokens": { $gt: "4000.5" } }, true],
    [{ "params.max_tokens": { $gte: 4001, $lte: 4001 } }, true],
    [{ "params.max_tokens": { $gt: 4000, $lt: 4001 } }, false],
    [{ "metadata.level": { $lt: 100 } }, true],
    [{ "metadata.plan": { $gt: 0 } }, false],
    [{ "metadata.plan": { $lte: 0 } }, false],
    [{ "metadata.empty": { $gte: 0 } }, false],
    [{ "params.n": { $gt: "many" } }, false],
    [{ "params.stream": { $gte: 0 } }, false],
    [{ "params.user": { $gte: 0 } }, false],
    // Patterns.
    [{ "url.pathname": { $regex: "/completions$" } }, true],
    [{ "url.pathname": { $regex: "embeddings" } }, false],
    [{ "url.pathname": "/v1/chat/completions" }, true],
    [{ "params.model": { $regex: "^(best|\\u0062etter)$" } }, true],
    [{ "params.model": { $regex: "BEST" } }, false],
    [{ "params.n": { $regex: "^2$" } }, true],
    [{ "params.user": { $regex: "null" } }, true],
    // Missing is false, whatever is asked.
    ...["$eq", "$ne", "$gt", "$lte", "$regex"].map((name): [object, boolean] => [
      { "metadata.none": { [name]: "x" } },
      false,
    ]),
    [{ "metadata.none": { $nin: ["x"] } }, false],
    [{ "metadata.none": { $ne: "x" } }, false],
    [{ "metadata.none": null }, false],
    // What is not a primitive is as good as missing.
    [{ "params.stop": { $ne: "x" } }, false],
    [{ "params.response_format": { $ne: "x" } }, false],
    // Two segments, own keys.
    [{ "params.response_format.type": "text" }, false],
    [{ "metadata.a.b": "dotted" }, false],
    [{ "params.a.b": { $ne: 2 } }, false],
    [{ params: { $ne: 1 } }, false],
    [{ "headers.host": { $ne: 1 } }, false],
    [{ "url.href": { $ne: 1 } }, false],
    [{ "metadata.constructor": { $ne: 1 } }, false],
    [{ "params.__proto__": { $ne: 1 } }, false],
    [{ "metadata.toString": { $regex: "native" } }, false],
    // Together.
    [{}, true],
    [{ "metadata.plan": "gold", "params.model": "best" }, true],
    [{ "metadata.plan": "gold", "params.model": "other" }, false],
    [{ $and: [] }, true],
    [{ $or: [] }, false],
    [{ $and: [{ "metadata.plan": "gold" }, { "params.n": 2 }] }, true],
    [{ $and: [{ "metadata.plan": "gold" }, { "params.n": 3 }] }, false],
    [{ $or: [{ "metadata.plan": "team" }, { "params.n": 2 }] }, true],
    [{ $or: [{ "metadata.plan": "gold" }], "params.n": 3 }, false],
    [{ "params.n": 3, $or: [{ "metadata.plan": "gold" }] }, false],
    [{ $and: [{ "metadata.plan": "gold" }], $or: [] }, false],
    [{ $or: [{ $and: [{ "params.n": 2 }, { $or: [{ "metadata.level": "12" }] }] }] }, true],
    [{ "metadata.plan": { $regex: "go" }, "params.n": 3 }, false],
  ])("%j is %j", (query, expected) => {
    expect(ask(query, asked).holds).toBe(expected);
  });

  it.each<[object, boolean]>([
    [{ "metadata.level": 12 }, true],
    [{ "metadata.level": "12" }, false],
    [{ "metadata.level": { $gt: 11, $regex: "^12$" } }, true],
    [{ "metadata.beta": true }, true],
    [{ "metadata.beta": { $in: ["true"] } }, false],
    [{ "metadata.team": null }, true],
    [{ "metadata.team": { $ne: "a" } }, true],
    [{ "metadata.tags": { $ne: "a" } }, false],
    [{ "metadata.plan": "gold" }, true],
  ])("compares metadata as what it was written: %j is %j", (query, expected) => {
    const metadata = { plan: "gold", level: "12", beta: "true", tags: '["a"]' };
    const metadataValues = { level: 12, beta: true, team: null, tags: ["a"] };
    expect(ask(query, { metadata, metadataValues }).holds).toBe(expected);
  });

  it.each<[string, Asked]>([
    ["there is no body", {}],
    ["the body is a form", { request: { formType: "multipart/form-data", json: { model: "best", 0: "x" } } }],
    ["the body is not an object", { request: { json: ["x"] } }],
    [
      "the body cannot be read",
      {
        request: {
          get json() {
            throw new Error("no");
          },
        },
      },
    ],
  ])("finds no params when %s", (_, request) => {
    expect(ask({ "params.model": { $ne: "x" } }, request).holds).toBe(false);
    expect(ask({ "params.0": "x" }, request).holds).toBe(false);
  });

  it("does not read the body where it is not asked about", () => {
    let reads = 0;
    const request = {
      get json() {
        reads++;
        return { model: "best" };
      },
    };
    ask({ "metadata.plan": "gold", "url.pathname": { $regex: "v1" } }, { ...asked, request });
    ask({ "metadata.plan": "team", "params.model": "best" }, { ...asked, request });
    expect(reads).toBe(0);
    expect(ask({ "params.model": "best" }, { ...asked, request }).holds).toBe(true);
    expect(reads).toBe(1);
  });
});

describe("a mistaken query", () => {
  const deep = (levels: number): object => (levels === 0 ? { "params.n": 2 } : { $and: [deep(levels - 1)] });

  it.each<[string, object, string]>([
    ["an unknown operator below a path", { "params.x": { $foo: 1 } }, "q.params.x.$foo"],
    ["an unknown operator beside a known one", { "params.x": { $eq: 1, $foo: 1 } }, "q.params.x.$foo"],
    ["an operator without its sign", { "params.x": { eq: 1 } }, "q.params.x.eq"],
    ["an inherited name", { "params.x": { constructor: 1 } }, "q.params.x.constructor"],
    ["an unknown operator among keys", { $nor: [] }, "q.$nor"],
    ["no operator", { "params.x": {} }, "q.params.x"],
    ["a list", { "params.x": [1] }, "q.params.x"],
    ["no list of queries", { $and: { "params.x": 1 } }, "q.$and"],
    ["no queries in the list", { $or: [{ "params.x": 1 }, 5] }, "q.$or.1"],
    [
      "an unknown operator in a query in a query",
      { $or: [{ $and: [{ "params.x": { $foo: 1 } }] }] },
      "q.$or.0.$and.0.params.x.$foo",
    ],
    ["too many levels", deep(60), `q${".$and.0".repeat(51)}`],
  ])("with %s cannot be asked", (_, query, path) => {
    const { holds, mistakes } = ask(query, asked);
    expect(mistakes).toMatchObject([{ path, fatal: true }]);
    expect(holds).toBe(false);
  });

  it.each<[string, object, string, boolean]>([
    ["empty", {}, "q", true],
    ["with a pattern that is none", { "metadata.plan": { $regex: "(" } }, "q.metadata.plan.$regex", false],
    ["with a pattern that is no text", { "params.n": { $regex: 2 } }, "q.params.n.$regex", false],
    ["with lookahead", { "metadata.plan": { $regex: "(?=g)gold" } }, "q.metadata.plan.$regex", false],
    ["with a pattern too long", { "metadata.plan": { $regex: "g".repeat(1001) } }, "q.metadata.plan.$regex", false],
    ["with a pattern that grows", { "metadata.plan": { $regex: "((g?){99}){99}" } }, "q.metadata.plan.$regex", false],
  ])("that is %s is noticed, but can be asked", (_, query, path, expected) => {
    const { holds, mistakes } = ask(query, asked);
    expect(mistakes).toMatchObject([{ path, fatal: false }]);
    expect(holds).toBe(expected);
  });

  it("is asked of levels as deep as they may be", () => {
    expect(ask(deep(50), asked)).toEqual({ holds: true, mistakes: [] });
  });
});
