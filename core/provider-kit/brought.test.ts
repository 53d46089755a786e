import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Secret, secret } from "../secrets/secret.ts";
import { bindProvider } from "./bind.ts";
import { optionsByField, rebound, valuesOf } from "./brought.ts";
import { defineProvider } from "./define-provider.ts";
import type { CommonOptions } from "./provider-definition.ts";

const definition = defineProvider({
  name: "cloud",
  summary: "Knows callers by a key, or by the machine they run on.",
  baseUrl: "https://cloud.example",
  options: z.strictObject({
    mode: z.enum(["key", "machine"]).default("key"),
    resource: z.string().exactOptional(),
    token: secret().exactOptional(),
  }),
  headerOptions: { mode: "cloud-mode", resource: "cloud-resource" },
  configFields: { resource: ["resource_name"] },
  tenantOptions: ["resource"],
  machineValues: { mode: ["machine"] },
  lacks: ({ mode, resource }) => (mode === "machine" && resource === undefined ? "a resource" : undefined),
  authenticate: ({ mode, apiKey }) =>
    mode === "machine"
      ? async () => ({ authorization: "Bearer of-the-machine" })
      : apiKey && { authorization: apiKey.reveal() },
  operations: {},
});

const formats = new Map();

/** The provider of a file with these options, and what a request brings. */
function boundWith(file: Record<string, unknown>, caller: object, operator?: object) {
  const options = definition.options.parse(file) as CommonOptions & Record<string, unknown>;
  const bound = bindProvider({ slug: "cloud", definition, options, formats });
  const entry = { slug: "cloud", definition, options, bound };
  return rebound(entry, { operator: operator as never, caller: caller as never, named: true }, formats, "x-gateway-");
}

describe("what lets the machine's identity be used", () => {
  it("is the operator's word, in the file and in a config of the file", async () => {
    for (const bound of [boundWith({ mode: "machine" }, {}), boundWith({}, {}, { mode: "machine" })])
      expect(await (bound.headers as () => Promise<object>)()).toEqual({ authorization: "Bearer of-the-machine" });
  });

  it("is not a caller's, who may only repeat it", () => {
    expect(() => boundWith({}, { mode: "machine" })).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        details: { param: "cloud-mode" },
        message: expect.stringContaining("providers.cloud.mode"),
      }),
    );
    expect(typeof boundWith({ mode: "machine" }, { mode: "machine" }).headers).toBe("function");
    expect(boundWith({ mode: "machine", apiKey: "k" }, { mode: "key" }).headers).toEqual({ authorization: "k" });
  });

  it.each([{ baseUrl: "https://elsewhere.example" }, { resource: "theirs" }])(
    "goes nowhere the caller says: %j",
    (caller) => {
      expect(boundWith({ mode: "machine" }, caller).usable).toBe(false);
      expect(boundWith({}, caller, { mode: "machine", token: new Secret("t") }).usable).toBe(false);
      expect(() => boundWith({ mode: "machine" }, { ...caller, mode: "machine" })).toThrow("only the config file");
    },
  );
});

describe("an option that nobody has set", () => {
  const own = defineProvider({ name: "own", summary: "Has a host of one's own.", operations: {} });
  const place = defineProvider({
    name: "place",
    summary: "Has a place.",
    baseUrl: "https://place.example",
    options: z.strictObject({ place: z.enum(["here", "there"]) }),
    headerOptions: { place: "own-place" },
    operations: {},
  });
  it.each([
    [
      own,
      {},
      "own: baseUrl is missing; it is set by the header x-a-custom-host, custom_host of a routing config, or providers.own.baseUrl",
    ],
    [
      place,
      {},
      "place: place is missing; it is set by the header x-a-own-place, own_place of a routing config, or providers.place.place",
    ],
    [
      place,
      { place: "x" },
      'place: place: Invalid option: expected one of "here"|"there"; it is set by the header x-a-own-place',
    ],
  ])("is told with the places where it can be set: %#", (definition, caller, message) => {
    const entry = { slug: "own", definition, options: undefined, bound: undefined };
    expect(() => rebound(entry, { operator: undefined, caller, named: false }, formats, "x-a-")).toThrow(message);
  });
});

describe("the fields of a routing config", () => {
  const terms = (fields: object) => ({ trusted: true, named: true, headerOptions: false, fields: fields as never });

  it("are the headers' names and the others a provider has; the header's counts", () => {
    expect([...optionsByField(definition).keys()].sort()).toEqual(["cloud_mode", "cloud_resource", "resource_name"]);
    expect(valuesOf(terms({ resource_name: "a" }), definition)).toEqual({ resource: "a" });
    expect(valuesOf(terms({ cloud_resource: "b", resource_name: "a" }), definition)).toEqual({ resource: "b" });
  });
});

describe("a provider that is bound", () => {
  it("says what it lacks", () => {
    expect(boundWith({ mode: "machine" }, {}).lacks).toBe("a resource");
    expect(boundWith({ mode: "machine", resource: "r" }, {}).lacks).toBeUndefined();
  });

  it("asks for a credential with each call, and keeps the latest from being shown", async () => {
    let count = 0;
    const fetching = defineProvider({
      ...definition,
      authenticate: () => async () => {
        count += 1;
        return { authorization: `Bearer token-${count}` };
      },
    } as never);
    const options = { headers: { "X-Own": "own" }, forwardHeaders: [], clocks: {}, apiKey: new Secret("key") };
    const { headers, secrets } = bindProvider({ slug: "cloud", definition: fetching, options, formats });
    expect(count).toBe(0);
    const ask = headers as () => Promise<object>;
    expect(await ask()).toEqual({ authorization: "Bearer token-1", "x-own": "own" });
    expect(secrets).toEqual(["key", "token-1"]);
    await ask();
    expect(secrets).toEqual(["key", "token-2"]);
  });
});

it("what a request brings has to fit into the headers that say it", () => {
  const saying = defineProvider({
    name: "acme",
    summary: "Is told of a team in a header.",
    baseUrl: "https://acme.example",
    options: z.strictObject({ team: z.string().exactOptional() }),
    authenticate: ({ team }) => ({ ...(team !== undefined && { "x-team": team }) }),
    operations: {},
  });
  const bring = (team: string) => {
    const entry = { slug: "acme", definition: saying, options: undefined, bound: undefined };
    return rebound(entry, { operator: undefined, caller: { team }, named: true }, formats, "x-gateway-");
  };
  expect(bring("Müller").headers).toEqual({ "x-team": "Müller" });
  for (const team of ["a\nb", "\u20ac"])
    expect(() => bring(team)).toThrow(/^acme: what is brought for the header "x-team" holds a line break/);
});
