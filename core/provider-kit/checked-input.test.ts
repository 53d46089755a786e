import { describe, expect, it } from "vitest";
import { defineProvider } from "./define-provider.ts";

const whole = { name: "acme", summary: "Acme's API.", operations: { chat: "openai-chat" } } as const;

describe("a definition", () => {
  it.each<[object, string]>([
    [{ operation: {} }, 'unknown field "operation"; did you mean "operations"?'],
    [{ name: "Acme Labs" }, 'the name "Acme Labs" is none'],
    [{ name: undefined }, "the name undefined is none"],
    [{ summary: "" }, "summary is missing"],
    [{ options: {} }, "options is no z.strictObject"],
    [{ operations: undefined }, "operations is missing"],
    [{ operations: { chat: { path: "/talk" } } }, "chat has no format"],
    [
      { operations: { chat: [{ format: "openai-chat", path: "talk" }] } },
      'the path of chat is "talk": it begins with a slash',
    ],
    [{ forwards: "acme-beta" }, 'forwards is "acme-beta", and has to be a list of texts'],
    [{ readError: {} }, "readError is {}, and has to be a function"],
    ...(
      [
        [{ drop: ["seed"] }, 'unknown field "drop" of chat; did you mean "drops"?'],
        [{ drops: "seed" }, 'chat: drops is "seed", and has to be a list of texts, such as ["logit_bias"]'],
        [{ renames: ["seed"] }, 'chat: renames is ["seed"], and has to be a map of texts'],
        [{ clamps: { temperature: [1, 0] } }, 'chat: clamps is {"temperature":[1,0]}, and has to be a map of lowest'],
        [
          { rewrite: { when: "seed", apply: () => ({}) } },
          'chat: rewrite is {"when":"seed"}, and has to be a map such as',
        ],
        [{ rewrite: { when: ["seed"] } }, 'chat: rewrite is {"when":["seed"]}, and has to be a map such as'],
        [{ framing: "ndjsonn" }, 'chat: framing is "ndjsonn", and has to be one of sse, ndjson, json-list'],
        [{ serves: ["m"] }, 'chat: serves is ["m"], and has to be a function'],
      ] as [object, string][]
    ).map(([spec, message]): [object, string] => [
      { operations: { chat: { format: "openai-chat", ...spec } } },
      message,
    ]),
    [
      { operations: () => ({}), batchOperations: { chat: { format: "openai-chat", drop: [] } } },
      'unknown field "drop" of chat',
    ],
  ])("with %o says what is wrong", (more, message) => {
    expect(() => defineProvider({ ...whole, ...more } as never)).toThrow(`defineProvider: ${message}`);
  });

  it("may be made of another one", () => {
    expect(defineProvider({ ...(defineProvider(whole) as never as typeof whole), name: "other" } as never).name).toBe(
      "other",
    );
  });
});
