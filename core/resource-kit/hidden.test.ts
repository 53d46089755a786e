import { describe, expect, it } from "vitest";
import { Secret } from "../secrets/secret.ts";
import { hiddenUrl } from "../secrets/secret-url.ts";
import { kept, notPutBack, shown } from "./hidden.ts";

const key = "sk-0123456789abcdef";
const mask = "sk*******ef";

const refuse = (path: string, why: "unknown" | "elsewhere"): never => {
  throw new Error(`${path} ${notPutBack(why)}`);
};

/** What is kept of a document whose fields `key` are credentials, where another one was there before. */
function putBack(sent: unknown, before: unknown) {
  const hidden = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hidden);
    if (typeof value !== "object" || value === null) return typeof value === "string" ? hiddenUrl(value) : value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, name === "key" ? new Secret(one) : hidden(one)]),
    );
  };
  expect(JSON.stringify(shown(hidden(before)))).not.toContain(key);
  return kept(hidden(sent), hidden(before), refuse);
}

describe("a credential that is sent as it is shown", () => {
  it.each<[string, unknown, unknown]>([
    ["where nothing else was changed", { key: mask }, { key }],
    ["beside another address of the same host", { url: "https://a/x?y", key: mask }, { url: "https://a/z", key }],
    ["where its address is gone", { key: mask }, { url: "https://a/z", key }],
    [
      "beside other metadata",
      { provider: "a", metadata: { region: "us" }, key: mask },
      { provider: "a", metadata: { region: "eu" }, key },
    ],
    ["in another place of the list", [{}, { provider: "a", key: mask }], [{ provider: "a", key }]],
    [
      "where another part of the list goes elsewhere",
      [{ url: "https://a", key: mask }, { url: "https://b" }],
      [{ url: "https://a", key }],
    ],
    [
      "in a guardrail that does not go where the config goes now",
      { custom_host: "https://b", input_guardrails: [{ webhook: { webhookURL: "https://a", key: mask } }] },
      { custom_host: "https://c", input_guardrails: [{ webhook: { webhookURL: "https://a", key } }] },
    ],
    [
      "in a hook of a config that goes elsewhere now",
      { provider: "b", beforeRequestHooks: [{ id: "h", checks: [{ id: "a.b", parameters: { key: mask } }] }] },
      { provider: "a", beforeRequestHooks: [{ id: "g", checks: [{ id: "a.b", parameters: { key } }] }] },
    ],
    [
      "beside another check of the same guardrail",
      { output_guardrails: [{ "a.b": { key: mask }, webhook: { webhookURL: "https://b" } }] },
      { output_guardrails: [{ "a.b": { key } }] },
    ],
    [
      "in a check with the family in front",
      [{ id: "default.a", parameters: { key: mask } }],
      [{ id: "a", parameters: { key } }],
    ],
    [
      "in a check that is named by its id",
      { input_guardrails: [{ second: { id: "a.b", key: mask } }] },
      { input_guardrails: [{ "a.b": { key } }] },
    ],
    ["under a name in another spelling", { virtualKey: "v", key: mask }, { virtual_key: "v", key }],
  ])("is put back %s", (_, sent, before) => {
    expect(putBack(sent, before)).toEqual(JSON.parse(JSON.stringify(sent).replaceAll(mask, key)));
  });

  it.each<[string, unknown, unknown, string]>([
    [
      "a host that is another",
      { url: "https://b", headers: { key: mask } },
      { url: "https://a", headers: { key } },
      "",
    ],
    ["a host where there was none", { custom_host: "https://b", key: mask }, { key }, ""],
    ["an open connection", { url: "http://a", key: mask }, { url: "https://a", key }, ""],
    ["another port", { url: "https://a:81", key: mask }, { url: "https://a", key }, ""],
    ["another provider", { provider: "b", key: mask }, { provider: "a", key }, ""],
    [
      "a host that is written in another way",
      { url: " https:\\\\b", headers: { key: mask } },
      { url: "https://a", headers: { key } },
      "",
    ],
    ["a host without its scheme", { apiDomain: "b", key: mask }, { apiDomain: "a", key }, ""],
    ["a host of another name", { azure_endpoint_name: "b", key: mask }, { azure_endpoint_name: "a", key }, ""],
    [
      "a host that is said around it",
      { custom_host: "https://b", targets: [{ key: mask }] },
      { custom_host: "https://a", targets: [{ key }] },
      "targets[0].",
    ],
    [
      "what stood beside another one",
      [{ url: "https://b", key: mask }],
      [{ url: "https://a", key }, { url: "https://b" }],
      "[0].",
    ],
  ])("is not put back to be sent to %s", (_, sent, before, place) => {
    const path = JSON.stringify(sent).includes("headers") ? "headers.key" : `${place}key`;
    expect(() => putBack(sent, before)).toThrow(`${path} is a credential as it is shown, masked`);
    expect(() => putBack(sent, before)).toThrow("as it goes elsewhere now");
  });

  it.each<[string, unknown, unknown]>([
    ["another check", [{ id: "b.c", parameters: { key: mask } }], [{ id: "a.b", parameters: { key } }]],
    [
      "another check of a guardrail",
      { input_guardrails: [{ "b.c": { key: mask } }] },
      { input_guardrails: [{ "a.b": { key } }] },
    ],
    [
      "another check of a hook",
      { after_request_hooks: [{ id: "h", checks: [{ id: "b.c", parameters: { key: mask } }] }] },
      { after_request_hooks: [{ id: "h", checks: [{ id: "a.b", parameters: { key } }] }] },
    ],
    [
      "another family of checks",
      { after_request_hooks: [{ id: "h", credentials: { b: { key: mask } } }] },
      { after_request_hooks: [{ id: "h", credentials: { a: { key } } }] },
    ],
    [
      "a guardrail, where it was a target's",
      { custom_host: "https://a", input_guardrails: [{ "a.b": { key: mask } }] },
      { custom_host: "https://a", key },
    ],
  ])("is not put back to be sent to %s", (_, sent, before) => {
    expect(() => putBack(sent, before)).toThrow("as it goes elsewhere now");
  });

  it("is unknown where nothing is shown so, and where two are", () => {
    const other = "sk-another-one-ef";
    expect(() => putBack({ key: mask }, {})).toThrow(/send the credential itself$/);
    expect(() => putBack({ key: mask }, [{ key }, { key: other }])).toThrow(/send the credential itself$/);
  });

  it("is the one of its host where two are shown alike", () => {
    const other = "sk-another-one-ef";
    const before = [
      { url: "https://a", key },
      { url: "https://b", key: other },
    ];
    const sent = [{ url: "https://b", key: mask }];
    expect(putBack(sent, before)).toEqual([{ url: "https://b", key: other }]);
  });
});

describe("two that are shown alike", () => {
  const [one, other] = ["https://a/hook?token=first", "https://a/hook?token=other"];
  const both = [
    { id: "x", url: one },
    { id: "y", url: other },
  ];
  const url = "https://a/hook?token=*******";

  it.each<[string, unknown, unknown]>([
    [
      "nothing else was changed",
      [
        { id: "x", url },
        { id: "y", url },
      ],
      both,
    ],
    [
      "they changed places",
      [
        { id: "y", url },
        { id: "x", url },
      ],
      both.toReversed(),
    ],
    ["one went", [{ id: "y", url }], [both[1]]],
    [
      "one was moved and the other changed",
      [
        { id: "y", url },
        { id: "z", url },
      ],
      [both[1], { id: "z", url: one }],
    ],
    ["both were changed", [{ id: "z", url }, { url }], [{ id: "z", url: one }, { url: other }]],
    [
      "something else was changed",
      [
        { id: "x", url },
        { id: "z", url },
      ],
      [both[0], { id: "z", url: other }],
    ],
  ])("are both put back where %s", (_, sent, now) => {
    expect(putBack(sent, both)).toEqual(now);
  });

  it("are told apart by their names, and by their places where those are the same", () => {
    const keys = { a: { key: "short" }, b: { key: "brief" }, c: [{ key: "tiny" }, { key: "small" }] };
    const sent = { a: { key: "*******" }, b: { key: "*******" }, c: [{ key: "*******" }, { key: "*******" }] };
    expect(putBack(sent, keys)).toEqual(keys);
  });
});

it("addresses with something secret in them say themselves where they go", () => {
  const before = { jwks_url: "https://a/keys?token=0123456789abcdef0123" };
  const sent = { jwks_url: "https://a/keys?token=01*******23", other_url: "https://b" };
  expect(putBack(sent, before)).toEqual({ ...before, other_url: "https://b" });
});
