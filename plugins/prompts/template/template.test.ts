import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../core/index.ts";
import { link } from "./link.ts";
import { parse } from "./parse.ts";
import { Rendering } from "./render.ts";

const noPartials = { partials: new Map(), supplied: new Map() };

/** What a text is rendered to, with the names that were missing. */
async function rendered(text: string, variables: Record<string, unknown> = {}): Promise<[string, string[]]> {
  const template = parse(text, { place: "string" });
  const links = await link(template, "", {
    variables,
    caller: "",
    find: () => Promise.reject(new Error("no partials")),
  });
  const rendering = new Rendering(variables);
  return [rendering.text({ template, links }), [...rendering.missing]];
}

describe("a template", () => {
  it.each<[string, string, Record<string, unknown>, string, string[]?]>([
    ["a variable", "a {{b}} c", { b: "x" }, "a x c"],
    ["blanks within the braces", "{{ b }}{{{ b }}}{{& b }}", { b: "<&>" }, "<&><&><&>"],
    ["no HTML escaping", "{{a}}", { a: `<b> & "c"` }, `<b> & "c"`],
    ["a name with blanks", "{{phone number}}", { "phone number": 5 }, "5"],
    ["names in their case", "{{A}}{{a}}", { a: "x" }, "x", ["A"]],
    ["a dotted name", "{{a.b.c}}", { a: { b: { c: 1 } } }, "1"],
    ["a literal key before a dotted name", "{{a.b}}", { "a.b": "literal", a: { b: "walked" } }, "literal"],
    ["a literal key further out before a dotted name", "{{#s}}{{a.b}}{{/s}}", { s: { a: { b: 1 } }, "a.b": 2 }, "2"],
    ["the innermost first step decides", "{{#s}}{{a.b}}{{/s}}", { s: { a: {} }, a: { b: "no" } }, "", ["a.b"]],
    ["names of lists are none", "{{a.length}}{{a.0}}", { a: [1] }, "", ["a.length", "a.0"]],
    ["names of texts are none", "{{a.length}}", { a: "abc" }, "", ["a.length"]],
    [
      "what every object has",
      "{{constructor}}{{__proto__}}{{toString}}{{a.prototype}}",
      { a: {} },
      "",
      ["constructor", "__proto__", "toString", "a.prototype"],
    ],
    ["reserved names the caller sends", "{{__proto__}}", JSON.parse('{"__proto__":"x"}'), "", ["__proto__"]],
    ["numbers and booleans", "{{a}} {{b}} {{c}}", { a: 22.5, b: false, c: 1e21 }, "22.5 false 1e+21"],
    ["null is nothing, and not missing", "[{{a}}]", { a: null }, "[]"],
    ["objects and lists as compact JSON", "{{a}}", { a: { x: [1, null, "é"] } }, '{"x":[1,null,"é"]}'],
    ["a value is not rendered again", "{{a}}", { a: "{{b}}", b: "no" }, "{{b}}"],
    ["a comment", "a{{! b }} c {{!{{d}} e", {}, "a c  e"],
    ["a section over an object", "{{#a}}{{b}}{{/a}}", { a: { b: 1 }, b: 2 }, "1"],
    ["outer names inside a section", "{{#a}}{{c}}{{/a}}", { a: {}, c: 2 }, "2"],
    ["a section over a list of objects", "{{#a}}{{b}};{{/a}}", { a: [{ b: 1 }, { b: 2 }] }, "1;2;"],
    ["a section over a list of lists", "{{#a}}{{#.}}{{.}}{{/.}};{{/a}}", { a: [[1, 2], [3]] }, "12;3;"],
    [
      "a list with a section in an item that has none",
      "{{#a}}{{#b}}{{b}}{{/b}}-{{/a}}",
      { a: [{ b: "x" }, {}] },
      "x--",
    ],
    ["a scalar leaves the context", "{{#n}}{{n}}{{b}}{{/n}}", { n: 3, b: 4 }, "34"],
    ["a brace before a tag", '{{{#a}}"b":1{{/a}}}', { a: true }, '{"b":1}'],
    ["a brace before and after a variable", "{{{{a}}}}", { a: "x" }, "{x}"],
    ["braces that are no tags", "{ a } {b} }} x", {}, "{ a } {b} }} x"],
    ["a standalone line with Windows line breaks", "a\r\n {{#b}} \r\nc\r\n{{/b}}\r\nd", { b: true }, "a\r\nc\r\nd"],
    ["standalone lines beside each other", "{{#a}}\n{{#b}}\nx\n{{/b}}\n{{/a}}\n", { a: true, b: true }, "x\n"],
    ["a standalone tag at the end", "a\n  {{! b }}", {}, "a\n"],
    ["a standalone tag that is all", "  {{! b }}  ", {}, ""],
    ["two tags in a line do not stand alone", "{{#a}}{{/a}}\nb", {}, "\nb"],
    ["a variable does not stand alone", "{{a}}\nb", { a: "x" }, "x\nb"],
    ["what is missing in a section that is not reached", "{{#a}}{{b}}{{/a}}{{^a}}x{{/a}}", {}, "x", []],
    ["a supplied partial", "{{>>a}}", { a: "{{b}}!", b: 1 }, "1!"],
    ["a supplied partial that is not supplied", "[{{>>a}}]", {}, "[]", ["a"]],
    ["a supplied partial in a section", "{{#l}}{{>>a}}{{/l}}", { l: [1, 2], a: "({{.}})" }, "(1)(2)"],
    [
      "8.5: a supplied partial",
      "Rules: {{>>house rules}} End.",
      { "house rules": "Never quote {{item}}.", item: "prices" },
      "Rules: Never quote prices. End.",
    ],
    [
      "8.8: JSON and what is missing",
      "Profile: {{profile}}\nMissing: [{{nothing}}]",
      { profile: { name: "Ana", langs: ["pt", "en"] } },
      'Profile: {"name":"Ana","langs":["pt","en"]}\nMissing: []',
      ["nothing"],
    ],
    ["8.3: the implicit iterator", "Tags:{{#tags}} #{{.}}{{/tags}}", { tags: ["ai", "ops"] }, "Tags: #ai #ops"],
    [
      "8.3: a list with nested objects",
      "Compare these items:\n{{#items}}\n- {{name}} ({{price.amount}} {{price.unit}}){{#note}}: {{note}}{{/note}}\n{{/items}}\nDone.",
      {
        items: [
          { name: "Kettle", price: { amount: 30, unit: "EUR" }, note: "red" },
          { name: "Pan", price: { amount: 22.5, unit: "EUR" } },
        ],
      },
      "Compare these items:\n- Kettle (30 EUR): red\n- Pan (22.5 EUR)\nDone.",
    ],
  ])("renders %s", async (_, text, variables, expected, missing = []) => {
    expect(await rendered(text, variables)).toEqual([expected, missing]);
  });

  const greeting = "Greet the guest.{{#vip}} Offer the lounge.{{/vip}}{{^vip}} Ask for the booking number.{{/vip}}";
  it.each<[unknown, boolean]>([
    [true, true],
    ["false", true],
    [{}, true],
    [1, true],
    [[0], true],
    [false, false],
    [undefined, false],
    [null, false],
    [0, false],
    ["", false],
    [[], false],
  ])("8.2: takes %j for %s", async (vip, truthy) => {
    const [text] = await rendered(greeting, vip === undefined ? {} : { vip });
    expect(text).toBe(`Greet the guest. ${truthy ? "Offer the lounge." : "Ask for the booking number."}`);
  });

  it.each([
    ["{{#a}}x{{/b}}", 'line 1, column 8: "b" is closed where "a" is open'],
    ["{{#a}}{{#b}}{{/a}}{{/b}}", 'line 1, column 13: "a" is closed where "b" is open'],
    ["a\n {{#a}}x", 'line 2, column 2: the section "a" is never closed'],
    ["x{{/a}}", 'line 1, column 2: "a" is closed where no section is open'],
    ["{{a", 'line 1, column 1: "{{" is never closed'],
    ["{{a{b}}", "line 1, column 1: a tag holds another one"],
    ["{{a}b}}", 'line 1, column 1: "a}b" is no name: it has a brace in it'],
    ["{{ }}", "line 1, column 1: a tag names nothing"],
    ["{{# }}", "line 1, column 1: a tag names nothing"],
    ["{{=<% %>=}}", "line 1, column 1: other delimiters than {{ and }} are not supported"],
    [`${"{{#a}}".repeat(51)}${"{{/a}}".repeat(51)}`, "line 1, column 301: sections are nested more than 50 deep"],
  ])("is refused: %s", (text, message) => {
    const refused = () => parse(text, { place: "string" });
    expect(refused).toThrow(`string: ${message}`);
    expect(refused).toThrow(GatewayError);
  });

  it.each([
    ["{{a}} {{#b}}\nx", "1 {{#b}}\nx"],
    ["{{#b}}{{#c}}{{a}}{{/b}}{{/c}}", "{{#c}}1{{/c}}"],
    ["{{/a}}{{a}}{{", "{{/a}}1{{"],
    ["{{a{b}}{{a}}", "{{a{b}}1"],
    ["{{=<% %>=}}{{ a }}", "{{=<% %>=}}1"],
    [`${"{{#b}}".repeat(60)}`, "{{#b}}".repeat(60)],
  ])("keeps in the text what is no tag, where it is read leniently: %s", (text, expected) => {
    const template = parse(text, { place: "tools", lenient: true });
    expect(new Rendering({ a: 1, b: true }).text({ template, links: noPartials })).toBe(expected);
  });

  it("nests sections 50 deep", async () => {
    expect(await rendered(`${"{{#a}}".repeat(50)}x${"{{/a}}".repeat(50)}`, { a: true })).toEqual(["x", []]);
  });

  it.each<[string, string, Record<string, unknown>, string]>([
    [
      "long lists in long lists",
      "{{#a}}{{#b}}{{#a}}{{#b}}{{/b}}{{/a}}{{/b}}{{/a}}",
      { a: Array(999).fill(1), b: Array(999).fill(1) },
      "steps",
    ],
    ["a text that is too long", "{{#a}}{{b}}{{/a}}", { a: Array(1000).fill(1), b: "x".repeat(11_000) }, "bytes"],
  ])("is bounded: %s", async (_, text, variables, message) => {
    await expect(rendered(text, variables)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      details: { reason: "prompt_too_large" },
    });
  });
});

it("walks a name no further than there is something to walk", async () => {
  const [text, missing] = await rendered(`{{#l}}{{${"a.".repeat(100_000)}a}}{{/l}}x`, {
    l: Array(20_000).fill(1),
    a: {},
  });
  expect([text, missing.length]).toEqual(["x", 1]);
});

describe("partials", () => {
  /** Saved ones by reference; an owner sees those whose names begin with it. */
  const saved = (texts: Record<string, string>) => ({
    variables: {},
    caller: "",
    async find(reference: string, owner: string) {
      const text = texts[reference];
      if (text === undefined || !reference.startsWith(owner))
        throw new Error(`${owner || "nobody"} sees no ${reference}`);
      return { id: `id of ${reference}`, slug: reference, template: parse(text, { place: "string" }), owner };
    },
  });
  const rendering = async (text: string, texts: Record<string, string>, variables: Record<string, unknown> = {}) => {
    const template = parse(text, { place: "string" });
    const links = await link(template, "", { ...saved(texts), variables });
    return new Rendering(variables).text({ template, links });
  };
  const chain = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`p${at + 1}`, at + 1 < length ? `{{>p${at + 2}}}` : "end"]));

  it.each<[string, string, Record<string, string>, Record<string, unknown>, string]>([
    ["render in the current context", "{{#l}}{{>p}}{{/l}}", { p: "{{.}};" }, { l: [1, 2] }, "1;2;"],
    ["are not indented again", "  {{>p}}\nb", { p: "x\ny\n" }, {}, "x\ny\nb"],
    ["use each other", "{{>a}}", { a: "{{>b}}{{>c}}", b: "{{>c}}", c: "x" }, {}, "xx"],
    ["are there in several versions", "{{>a@2}}{{>a}}", { a: "new{{>a@2}}", "a@2": "old" }, {}, "oldnewold"],
    ["are used by supplied ones", "{{>>s}}", { a: "{{b}}" }, { s: "{{>a}}", b: 1 }, "1"],
    ["nest 10 deep", "{{>p1}}", chain(10), {}, "end"],
  ])("%s", async (_, text, texts, variables, expected) => {
    expect(await rendering(text, texts, variables)).toBe(expected);
  });

  it.each<[string, string, Record<string, string>, Record<string, unknown>, string]>([
    ["itself", "{{>a}}", { a: "{{>a}}" }, {}, "a → a"],
    ["each other", "{{>x}}", { x: "{{>a}}", a: "{{>b}}", b: "{{>a}}" }, {}, "a → b → a"],
    ["in a section that is not reached", "{{#n}}{{>a}}{{/n}}", { a: "{{>a}}" }, {}, "a → a"],
    ["a supplied one itself", "{{>>s}}", {}, { s: "{{>>s}}" }, ">s → >s"],
    ["11 deep", "{{>p1}}", chain(11), {}, "more than 10 deep"],
    ["11 deep, where 10 were reached another way", "{{>p2}}{{>p1}}", chain(11), {}, "more than 10 deep"],
  ])("refuse to include %s", async (_, text, texts, variables, message) => {
    await expect(rendering(text, texts, variables)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      details: { reason: "partial_cycle" },
    });
  });

  it("are a thousand at most", async () => {
    const text = Array.from({ length: 1001 }, (_, at) => `{{>a@${"0".repeat(at)}}}`).join("");
    await expect(rendering(text, {})).rejects.toMatchObject({ details: { reason: "prompt_too_large" } });
  });

  it("of a caller are told where they are wrong", async () => {
    await expect(rendering("{{>>s}}", {}, { s: "{{#a}}" })).rejects.toMatchObject({
      message: 'variables["s"]: line 1, column 1: the section "a" is never closed',
      details: { reason: "prompt_variables_invalid" },
    });
  });
});
