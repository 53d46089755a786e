import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayError, readJson, writeJson } from "../../../core/index.ts";
import { renderPrompt } from "../render-prompt.ts";
import { type Content, compile } from "./content.ts";
import { link } from "./link.ts";
import { parse } from "./parse.ts";
import { mistakeAt, withoutStrayCommas } from "./raw-json.ts";
import { Rendering } from "./render.ts";
import { JsonSink } from "./sinks.ts";

const empty: Content = {
  string: "",
  is_raw_template: false,
  template_metadata: {},
  parameters: {},
  tools: null,
  functions: null,
  tool_choice: null,
};
interface Version extends Partial<Content> {
  readonly model?: string;
}

/** The partials of the worked examples. */
const partials: Record<string, string> = {
  "pl-tone-r-5e20bd": "Keep to {{max_sentences}} sentences. Sign as {{signature}}.",
  "pl-tone-r-5e20bd@2": "Be brief.",
  "pl-messages": '{"role":"user","content":"{{ask}}"}',
};

async function render({ model, ...given }: Version, body: Record<string, unknown> = {}) {
  const content = { ...empty, ...given };
  const compiled = compile(content);
  const { variables = {}, ...overrides } = body as { variables?: Record<string, unknown> };
  const links = await link(compiled, "", {
    variables,
    caller: "",
    find: async (reference) => ({
      id: reference,
      slug: reference,
      template: parse(partials[reference] ?? "", { place: "string" }),
      owner: "",
    }),
  });
  const strict = content.template_metadata.strict_variables === true;
  const version = { content: compiled, parameters: content.parameters, model: model ?? null, strict };
  return renderPrompt(version, links, { variables, overrides });
}
const request = async (...given: Parameters<typeof render>) => (await render(...given)).request;
const messages = async (...given: Parameters<typeof render>) => (await request(...given)).messages;

const raw = (string: string): Version => ({ string, is_raw_template: true });
const photo =
  '[{"role":"user","content":[{"type":"text","text":"{{ask}}"}{{#photo}},{"type":"image_url","image_url":{"url":"{{photo}}","detail":"low"}}{{/photo}}]}]';
const history =
  '[{"role":"system","content":"Help with {{topic}}."},{{history}},{"role":"user","content":"{{input}}"}]';
const helped = (...between: object[]) => [
  { role: "system", content: "Help with tax." },
  ...between,
  { role: "user", content: "next?" },
];

describe("a prompt", () => {
  it.each<[string, Version, Record<string, unknown>, unknown]>([
    [
      "8.1: plain variables",
      {
        string:
          '[{"role":"system","content":"You answer for {{company}} in {{tone}} tone."},{"role":"user","content":"{{question}}"}]',
        parameters: { temperature: 0.2 },
        model: "gpt-4o",
      },
      { variables: { company: "Brook & Sons", tone: "calm", question: 'Is "Plan B" > Plan A?\nThanks' } },
      {
        temperature: 0.2,
        model: "gpt-4o",
        messages: [
          { role: "system", content: "You answer for Brook & Sons in calm tone." },
          { role: "user", content: 'Is "Plan B" > Plan A?\nThanks' },
        ],
      },
    ],
    [
      "8.9: overrides",
      {
        string: '[{"role":"user","content":"Who directed {{film}}?"}]',
        parameters: { temperature: 0, max_tokens: 256, top_p: 1, stream: true },
        model: "gpt-4o",
      },
      {
        variables: { film: "Stalker" },
        model: "gpt-4o-mini",
        temperature: 0.9,
        top_p: null,
        max_completion_tokens: 80,
      },
      {
        temperature: 0.9,
        stream: true,
        model: "gpt-4o-mini",
        max_completion_tokens: 80,
        messages: [{ role: "user", content: "Who directed Stalker?" }],
      },
    ],
    [
      "8.10: a completion",
      {
        string: "Translate to {{lang}}:\n\n{{text}}\n",
        template_metadata: { template_type: "completion" },
        parameters: { max_tokens: 60 },
        model: "gpt-3.5-turbo-instruct",
      },
      { variables: { lang: "Finnish", text: "Good <b>morning</b>" } },
      { max_tokens: 60, model: "gpt-3.5-turbo-instruct", prompt: "Translate to Finnish:\n\nGood <b>morning</b>\n" },
    ],
    [
      "8.12: a tool with a variable",
      {
        string: "Hi",
        tools: [
          {
            type: "function",
            function: {
              name: "find_order",
              description: "Find an order of {{company}}",
              parameters: { type: "object", properties: { no: { type: "string" } } },
            },
          },
        ],
      },
      { variables: { company: "Brook & Sons" } },
      {
        messages: [{ role: "user", content: "Hi" }],
        tools: [
          {
            type: "function",
            function: {
              name: "find_order",
              description: "Find an order of Brook & Sons",
              parameters: { type: "object", properties: { no: { type: "string" } } },
            },
          },
        ],
      },
    ],
    [
      "variables in response_format and tool_choice, and none in other parameters",
      {
        string: "Hi",
        tool_choice: { type: "function", function: { name: "{{tool}}" } },
        parameters: { response_format: { type: "{{type}}", left: "{{#is" }, stop: "{{type}}" },
        model: "{{type}}",
      },
      { variables: { tool: "t", type: "text" } },
      {
        response_format: { type: "text", left: "{{#is" },
        stop: "{{type}}",
        model: "{{type}}",
        messages: [{ role: "user", content: "Hi" }],
        tool_choice: { type: "function", function: { name: "t" } },
      },
    ],
    [
      "members that the renderer does not know, and roles and names of members",
      {
        string: '[{"role":"{{who}}","content":[{"type":"text","text":"{{a}}","cache_control":{"{{a}}":1}}],"n":null}]',
      },
      { variables: { who: "pilot", a: "x" } },
      { messages: [{ role: "pilot", content: [{ type: "text", text: "x", cache_control: { "{{a}}": 1 } }], n: null }] },
    ],
    [
      "messages of the call, which are not rendered",
      { string: '[{"role":"user","content":"{{a}}"}]' },
      { variables: {}, messages: [{ role: "user", content: "{{a}}" }], hints: 1 },
      { messages: [{ role: "user", content: "{{a}}" }], hints: 1 },
    ],
    [
      "a call that says both lengths",
      { string: "x", parameters: { max_tokens: 1 } },
      { max_tokens: 2, max_completion_tokens: 3 },
      { max_tokens: 2, max_completion_tokens: 3, messages: [{ role: "user", content: "x" }] },
    ],
    [
      "a length that removes the other",
      { string: "x", parameters: { max_completion_tokens: 1 } },
      { max_tokens: 2 },
      { max_tokens: 2, messages: [{ role: "user", content: "x" }] },
    ],
  ])("renders %s", async (_, version, body, expected) => {
    expect(await request(version, body)).toEqual(expected);
  });

  it("8.4: uses saved partials, one of them pinned", async () => {
    const string =
      '[{"role":"system","content":"You are a clerk. {{>pl-tone-r-5e20bd}}"},{"role":"user","content":"{{>pl-tone-r-5e20bd@2}} {{text}}"}]';
    const variables = { max_sentences: 3, signature: "Desk 4", text: "Where is my parcel?" };
    expect(await messages({ string }, { variables })).toEqual([
      { role: "system", content: "You are a clerk. Keep to 3 sentences. Sign as Desk 4." },
      { role: "user", content: "Be brief. Where is my parcel?" },
    ]);
  });

  it("says what was missing, and refuses to be rendered without it where it is strict", async () => {
    const string =
      '[{"role":"system","content":"For {{company}}"},{"role":"user","content":"{{case_notes}}{{#vip}}!{{/vip}}"}]';
    expect((await render({ string })).missing).toEqual(["case_notes", "company"]);
    await expect(render({ string, template_metadata: { strict_variables: true } })).rejects.toMatchObject({
      message: "Missing variables: case_notes, company",
      details: { reason: "prompt_variables_missing", param: "variables" },
    });
  });
});

describe("a raw prompt", () => {
  it.each<[string, string, Record<string, unknown>, unknown]>([
    [
      "8.6: an optional image",
      photo,
      { ask: 'Say "hi"\nthen describe.', photo: "https://img.example/p.png" },
      [
        {
          role: "user",
          content: [
            { type: "text", text: 'Say "hi"\nthen describe.' },
            { type: "image_url", image_url: { url: "https://img.example/p.png", detail: "low" } },
          ],
        },
      ],
    ],
    [
      "8.6: without it",
      photo,
      { ask: "Only text" },
      [{ role: "user", content: [{ type: "text", text: "Only text" }] }],
    ],
    [
      "8.7: a history",
      history,
      {
        topic: "tax",
        input: "next?",
        history: [
          { role: "user", content: 'a "b"' },
          { role: "assistant", content: "ok" },
        ],
      },
      helped({ role: "user", content: 'a "b"' }, { role: "assistant", content: "ok" }),
    ],
    ["8.7: an empty history", history, { topic: "tax", input: "next?", history: [] }, helped()],
    [
      "8.7: a history as text",
      history,
      { topic: "tax", input: "next?", history: '{"role":"user","content":"x"}' },
      helped({ role: "user", content: "x" }),
    ],
    [
      "numbers and objects as values",
      '[{"role":"user","n":{{n}},"o":{{o}},"b":{{b}}}]',
      { n: 1.5, o: { a: ['"'] }, b: false },
      [{ role: "user", n: 1.5, o: { a: ['"'] }, b: false }],
    ],
    [
      "objects, lists and numbers in a text",
      '[{"role":"user","content":"{{o}}{{l}}{{n}}"}]',
      { o: { a: '"' }, l: [1], n: 2 },
      [{ role: "user", content: '{"a":"\\""}[1]2' }],
    ],
    ["a partial outside of texts", "[{{>pl-messages}}]", { ask: 'a "b"' }, [{ role: "user", content: 'a "b"' }]],
    [
      "a partial in a text",
      '[{"role":"user","content":"{{>pl-messages}}"}]',
      { ask: 'a "b"' },
      [{ role: "user", content: '{"role":"user","content":"a "b""}' }],
    ],
    [
      "a supplied partial in a text",
      '[{"role":"user","content":"{{>>p}}"}]',
      { p: '"{{q}}\n', q: "\\" },
      [{ role: "user", content: '"\\\n' }],
    ],
    [
      "a backslash before a value",
      '[{"role":"user","content":"\\{{a}}"}]',
      { a: '","role":"system' },
      [{ role: "user", content: '\\","role":"system' }],
    ],
    [
      "an escaped quote before a value",
      '[{"role":"user","content":"\\"{{a}}\\""}]',
      { a: '"' },
      [{ role: "user", content: '"""' }],
    ],
    ["an optional member", '[{{{#n}}"name":"{{n}}",{{/n}}"role":"user"}]', { n: "x" }, [{ name: "x", role: "user" }]],
  ])("renders %s", async (_, string, variables, expected) => {
    expect(await messages(raw(string), { variables })).toEqual(expected);
  });

  it.each<[string, Version, Record<string, unknown>, string, string]>([
    [
      "8.7: a history that is no JSON",
      raw(history),
      { topic: "tax", input: "next?", history: "User: hi" },
      "prompt_render_invalid_json",
      "at character 46",
    ],
    ["no list", raw('{"role":"user"}'), {}, "prompt_render_invalid_messages", "something else"],
    ["an empty list", raw("[{{a}}]"), { a: [] }, "prompt_render_invalid_messages", "an empty list"],
    ["an item without a role", raw('[{"content":"x"}]'), {}, "prompt_render_invalid_messages", "something else"],
    ["no list, though structured", { string: '{"a":1}' }, {}, "prompt_render_invalid_messages", "something else"],
    [
      "too deep a list",
      raw("[{{a}}]"),
      { a: "[".repeat(200) + "]".repeat(200) },
      "prompt_render_invalid_json",
      "100 deep",
    ],
    [
      "too deep a variable",
      raw('["{{a}}"]'),
      { a: JSON.parse("[".repeat(200) + "]".repeat(200)) },
      "prompt_variables_invalid",
      "100 deep",
    ],
    [
      "more than 10 MiB",
      raw('[{"role":"user","content":"{{a}}{{a}}"}]'),
      { a: "x".repeat(6 * 1024 * 1024) },
      "prompt_too_large",
      "bytes",
    ],
    ["more than 10 MiB of what a call brings", raw("[]"), {}, "prompt_too_large", "bytes"],
  ])("refuses %s", async (_, version, variables, reason, message) => {
    const body =
      reason === "prompt_too_large" && version.string === "[]" ? { messages: "é".repeat(6 * 1024 * 1024) } : {};
    await expect(render(version, { ...body, variables })).rejects.toMatchObject({
      message: expect.stringContaining(message),
      details: { reason },
    });
  });

  it.each([
    ["[1,]", "[1]"],
    ["[,1]", "[1]"],
    ["[1, ,\n,2]", "[1 \n,2]"],
    ["[,,]", "[]"],
    ['{"a":1,}', '{"a":1}'],
    ['{,"a":1}', '{"a":1}'],
    ['[",]",",,"]', '[",]",",,"]'],
    ['["\\",]",]', '["\\",]"]'],
    ["[[],,{}]", "[[],{}]"],
    ["[1,2]", "[1,2]"],
  ])("repairs the commas of %s", (text, expected) => {
    expect(withoutStrayCommas(text)).toBe(expected);
  });

  it.each([
    ["", 0],
    ["  ", 2],
    ["[1", 2],
    ["[1 2]", 3],
    ["[1,]", 3],
    ['{"a" 1}', 5],
    ["{1:2}", 1],
    ['{"a":1,}', 7],
    ["[1]]", 3],
    ["[}", 1],
    ['["a', 1],
    ['["\\x"]', 1],
    ["User: hi", 0],
    ["[01]", 2],
    ["[tru]", 1],
  ])("tells where %s breaks", (text, at) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(mistakeAt(text)).toBe(at);
  });
});

describe("saving", () => {
  it.each<[string, Version, string]>([
    ["an optional object in a structured template", { string: photo }, "is_raw_template: 1"],
    ["a section from one text into another", { string: '[{"role":"{{#a}}","content":"{{/a}}"}]' }, "never closed"],
    ["a template that is nested too deeply", { string: `${"[".repeat(101)}"{{a}}"${"]".repeat(101)}` }, "100 deep"],
  ])("refuses %s", (_, version, message) => {
    const compiling = () => compile({ ...empty, ...version });
    expect(compiling).toThrow(message);
    expect(compiling).toThrow(GatewayError);
  });
});

describe("whatever comes", () => {
  const pieces = fc.constantFrom(
    ...[
      "{{a}}",
      "{{b.c}}",
      "{{.}}",
      "{{#a}}",
      "{{/a}}",
      "{{^b}}",
      "{{/b}}",
      "{{>>a}}",
      "{{{a}}}",
      "{{!x}}",
      "{",
      "}",
      "\n",
      " ",
      '"',
      "\\",
      ",",
      "[",
      "]",
      ":",
      "x",
      "{{",
    ],
    ...["{{constructor.constructor}}", "{{__proto__.x}}", "{{toString}}", "{{hasOwnProperty}}", "{{valueOf}}"],
  );
  const texts = fc.array(pieces, { maxLength: 12 }).map((some) => some.join(""));
  const variables = fc.dictionary(
    fc.constantFrom("a", "b", "c", "b.c", "__proto__", "constructor"),
    fc.oneof(fc.jsonValue(), texts),
  );
  /** Variables in which code waits to be called. */
  const trapped = (given: object) => {
    let ran = 0;
    const trap = { get: () => ran++, enumerable: true };
    const target = Object.defineProperty({ ...given }, "toJSON", trap);
    Object.defineProperty(target, "c", { ...trap, configurable: true });
    return { variables: { ...given, b: target, a: Object.defineProperty([1], 1, trap) }, ran: () => ran };
  };

  it("rendering either works or throws an error with a name, and runs no code of its variables", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), variables, fc.boolean(), async (string, is_raw_template, given, traps) => {
        const { variables, ran } = traps ? trapped(given) : { variables: given, ran: () => 0 };
        try {
          const { request } = await render({ string, is_raw_template }, { variables });
          expect(JSON.stringify(request)).not.toMatch(/native code|\[object/);
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          expect(error).toMatchObject({ code: "record_invalid", message: expect.any(String) });
        }
        expect(ran()).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it("a raw template is valid JSON whatever texts stand in its texts", async () => {
    const tags = ["{{a}}", "{{b}}", "{{>>a}}", "{{#l}}{{.}}{{/l}}"];
    const literal = fc
      .array(fc.constantFrom(...tags, "\\{{a}}", "\\{{>>no}}", "x", '\\"', "\\\\", "\\n"))
      .map((some) => some.join(""));
    await fc.assert(
      fc.asyncProperty(
        literal,
        fc.string({ unit: "binary" }),
        fc.string(),
        fc.array(fc.string()),
        async (text, a, b, l) => {
          const given = { a: a.replaceAll("{{", ""), b, l };
          const [message] = (await messages(raw(`[{"role":"user","content":"${text}"}]`), {
            variables: given,
          })) as object[];
          expect(Object.keys(message ?? {})).toEqual(["role", "content"]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("a value in a text is read back as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (a) => {
        const rendering = new Rendering({ a });
        const linked = {
          template: parse('"{{a}}"', { place: "string" }),
          links: { partials: new Map(), supplied: new Map() },
        };
        expect(JSON.parse(rendering.into(new JsonSink(rendering.bounds), linked))).toBe(a);
      }),
    );
  });

  it("places of mistakes are found where JSON.parse finds some, and only there", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("[", "]", "{", "}", ",", ":", '"a"', "1", "true", " ", "x", '"'), { maxLength: 8 }),
        (some) => {
          const text = some.join("");
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          if (!valid) expect(mistakeAt(text)).toBeLessThanOrEqual(text.length);
          else expect(mistakeAt(text)).toBe(text.length);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

it("numbers that no double holds are the text they were written as", async () => {
  const id = "1234567890123456789";
  const body = () =>
    readJson(`{"variables":{"id":${id},"order":{"ids":[-${id},1]},"none":0}}`) as Record<string, unknown>;
  const text = "{{id}} {{order.ids}} {{#order}}{{#ids}}<{{.}}>{{/ids}}{{/order}} {{^none}}{{order}}{{/none}}";
  const said = `${id} [-${id},1] <-${id}><1> {"ids":[-${id},1]}`;
  expect(await messages({ string: JSON.stringify([{ role: "user", content: text }]) }, body())).toEqual([
    { role: "user", content: said },
  ]);
  const inRaw = await request(raw('[{"role":"user","content":"{{id}}","meta":{"id":{{id}}}}]'), body());
  expect(writeJson(inRaw)).toContain(`"content":"${id}","meta":{"id":${id}}`);
});
