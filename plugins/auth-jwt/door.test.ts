import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import type { Exchange, OrganisationFacts, Workspace } from "../../core/index.ts";
import { PrefixedHeaders } from "../../core/pipeline/exchange-state.ts";
import { Door, type DoorParts } from "./door.ts";
import { readKeySet } from "./key-set.ts";
import type { KeySource } from "./key-source.ts";
import { Tokens } from "./tokens.ts";

const home = "11111111-1111-4111-8111-111111111111";
const second = "22222222-2222-4222-8222-222222222222";
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const another = generateKeyPairSync("rsa", { modulusLength: 2048 });
const set = readKeySet({ keys: [{ ...pair.publicKey.export({ format: "jwk" }), kid: "k" }] }, ["RS256"]);
const start = Date.parse("2026-03-11T10:00:00Z");
const seconds = start / 1000;

const workspaces = new Map(
  [
    { id: "w-1", slug: "ws-one", organisation: home, metadata: { team: "one" } },
    { id: "w-2", slug: "ws-two", organisation: home, metadata: {} },
    { id: "w-3", slug: "ws-three", organisation: second, metadata: {} },
  ].map((one): [string, Workspace] => [one.slug, { ...one, name: one.slug }]),
);

/** A door, how often a signature was checked, and what was told of refused tokens. */
function doorWith(given: Partial<DoorParts> = {}) {
  const state = { now: start, checks: 0, refused: [] as string[], generation: 0, known: set };
  const keys: KeySource = {
    async find(kid) {
      state.checks++;
      return state.known.get(kid);
    },
    tend: () => undefined,
    get generation() {
      return state.generation;
    },
  };
  const now = () => state.now;
  const door = new Door({
    own: { keys, tokens: new Tokens(now) },
    issuerOf: () => undefined,
    organisations: {
      settings: () => ({ jwt: {} }) as OrganisationFacts,
      home: async () => ({ organisation: home, workspace: "w-2" }),
      workspace: (organisation, ref) =>
        [...workspaces.values()].find((one) => one.organisation === organisation && [one.id, one.slug].includes(ref)),
    },
    issuers: [],
    audiences: [],
    clockTolerance: 60,
    allowedOrganisations: [],
    allowedWorkspaces: [],
    allowedUsers: [],
    defaultScopes: [],
    refused: (token, { message }) => void state.refused.push(`${token.length > 0}: ${message}`),
    now,
    ...given,
  });
  const admit = async (value: string, header = "authorization") => {
    const headers = { [header]: header === "authorization" ? `Bearer ${value}` : value };
    return door.admit({
      headers,
      url: "/",
      gatewayHeaders: new PrefixedHeaders(headers, ["x-gateway-"]),
    } as never as Exchange);
  };
  return { state, door, admit };
}

interface Written {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly key?: typeof pair;
}

const usual = {
  gateway_oid: home,
  gateway_workspace: "ws-one",
  scope: "completions.write",
  email_id: "iris@example.org",
  exp: seconds + 3600,
};

/** A token; claims that are undefined are left out. */
const token = ({ claims = {}, header = {}, key = pair }: Written = {}): Promise<string> =>
  new SignJWT(JSON.parse(JSON.stringify({ ...usual, ...claims })))
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "k", ...header })
    .sign(key.privateKey);

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a token", () => {
  it("lets in as a key of its workspace would", async () => {
    const { admit } = doorWith();
    const principal = await admit(
      await token({
        claims: {
          scope: "gateway.completions:write logs.list audit_logs.list",
          defaults: { config_id: "pc-night", metadata: { team: "of the token", tier: "gold", count: 5 } },
          usage_limits: [{ id: "u", type: "tokens", credit_limit: 500, status: "active" }],
          rate_limits: [{ type: "requests", unit: "rpm", value: 3 }],
        },
      }),
    );
    expect(principal).toEqual({
      id: expect.stringMatching(/^jwt:[\w-]{43}$/),
      name: "iris@example.org",
      user: "iris@example.org",
      identity: "iris@example.org",
      organisation: home,
      workspace: "w-1",
      scopes: ["completions.write", "logs.list"],
      metadata: { team: "one", tier: "gold" },
      defaultConfig: { slug: "pc-night", mayReplace: true, ifThere: true },
      limits: {
        level: "token",
        id: expect.stringMatching(/^[\w-]{43}$/),
        subject: "iris@example.org",
        usage: [expect.objectContaining({ type: "tokens", credit_limit: 500 })],
        rate: [{ type: "requests", unit: "rpm", value: 3 }],
      },
      credentialHeaders: ["authorization"],
    });
  });

  it.each<[string, Record<string, unknown>, Partial<DoorParts>, object]>([
    ["from sub", { email_id: undefined, sub: "s", uid: "u" }, {}, { identity: "s" }],
    ["from uid", { email_id: undefined, uid: "u" }, {}, { identity: "u" }],
    [
      "by the other names of its claims",
      {
        gateway_oid: undefined,
        organisation_id: home,
        gateway_workspace: undefined,
        workspace_slug: "w-2",
        scope: undefined,
        scopes: ["logs.list"],
      },
      {},
      { workspace: "w-2", scopes: ["logs.list"] },
    ],
    ["of the only organisation", { gateway_oid: undefined }, {}, { organisation: home }],
    [
      "of the only organisation configured",
      { gateway_oid: undefined, gateway_workspace: "ws-three" },
      { allowedOrganisations: [second] },
      { organisation: second, workspace: "w-3" },
    ],
    [
      "in the first workspace allowed",
      { gateway_workspace: undefined },
      { allowedWorkspaces: ["ws-one", "ws-two"] },
      { workspace: "w-1" },
    ],
    ["in the workspace everybody shares", { gateway_workspace: undefined }, {}, { workspace: "w-2" }],
    [
      "with the scopes of the one claim where the other is empty",
      { scope: "", scopes: ["logs.list"] },
      { defaultScopes: ["mcp.invoke"] },
      { scopes: ["logs.list"] },
    ],
    [
      "with the scopes of those without",
      { scope: undefined },
      { defaultScopes: ["mcp.invoke"] },
      { scopes: ["mcp.invoke"] },
    ],
    ["just after its end", { exp: seconds - 59 }, {}, { organisation: home }],
    ["just before its beginning", { nbf: seconds + 59, iat: seconds + 59 }, {}, { organisation: home }],
    [
      "of an issuer that is expected",
      { iss: "a", aud: ["x", "y"] },
      { issuers: ["a", "b"], audiences: ["y"] },
      { organisation: home },
    ],
    ["of a user who may", { sub: "u-1" }, { allowedUsers: ["u-1"] }, { user: "iris@example.org" }],
  ])("lets in %s", async (_, claims, parts, expected) => {
    const principal = await doorWith(parts).admit(await token({ claims }));
    expect(principal).toMatchObject(expected);
  });

  it.each<[string, Written, Partial<DoorParts>, "invalid_jwt" | "forbidden"]>([
    ["is signed by somebody else", { key: another }, {}, "invalid_jwt"],
    ["names an unknown key", { header: { kid: "other" } }, {}, "invalid_jwt"],
    ["names no key", { header: { kid: undefined } }, {}, "invalid_jwt"],
    ["is of another type", { header: { typ: "at+jwt" } }, {}, "invalid_jwt"],
    ["says no type", { header: { typ: undefined } }, {}, "invalid_jwt"],
    ["is signed otherwise than configured", { header: { alg: "PS256" } }, {}, "invalid_jwt"],
    ["has expired", { claims: { exp: seconds - 60 } }, {}, "invalid_jwt"],
    ["never expires", { claims: { exp: undefined } }, {}, "invalid_jwt"],
    ["is not good yet", { claims: { nbf: seconds + 61 } }, {}, "invalid_jwt"],
    ["is from the future", { claims: { iat: seconds + 61 } }, {}, "invalid_jwt"],
    ["is of another issuer", { claims: { iss: "c" } }, { issuers: ["a"] }, "invalid_jwt"],
    ["says no issuer where one is expected", {}, { issuers: ["a"] }, "invalid_jwt"],
    ["is for somebody else", { claims: { aud: "z" } }, { audiences: ["y"] }, "invalid_jwt"],
    [
      "names no organisation where there are several",
      { claims: { gateway_oid: undefined } },
      { allowedOrganisations: [home, second] },
      "invalid_jwt",
    ],
    ["has claims that cannot be read", { claims: { scope: 5 } }, {}, "invalid_jwt"],
    [
      "has a limit that cannot be read",
      { claims: { rate_limits: [{ type: "requests", unit: "rpx", value: 1 }] } },
      {},
      "invalid_jwt",
    ],
    ["is of an organisation nobody knows", { claims: { gateway_oid: second } }, {}, "invalid_jwt"],
    [
      "is of an organisation that may not",
      { claims: { gateway_oid: second } },
      { allowedOrganisations: [home] },
      "forbidden",
    ],
    ["is of a workspace that is not there", { claims: { gateway_workspace: "ws-none" } }, {}, "forbidden"],
    ["is of another organisation's workspace", { claims: { gateway_workspace: "ws-three" } }, {}, "forbidden"],
    [
      "is of a workspace that may not",
      { claims: { gateway_workspace: "ws-two" } },
      { allowedWorkspaces: ["w-1"] },
      "forbidden",
    ],
    ["is of a user who may not", { claims: { sub: "u-2" } }, { allowedUsers: ["u-1"] }, "forbidden"],
    ["says no user where some may", {}, { allowedUsers: ["u-1"] }, "forbidden"],
    ["carries no scope", { claims: { scope: undefined } }, {}, "forbidden"],
    ["carries scopes of the organisation only", { claims: { scope: "workspaces.create" } }, {}, "forbidden"],
    ["comes where no key set is configured", {}, { own: undefined }, "forbidden"],
  ])("is refused that %s", async (_, written, parts, code) => {
    const { admit, state } = doorWith(parts);
    const refused = token(written).then((value) => admit(value));
    await expect(refused).rejects.toMatchObject({ code, message: expect.not.stringMatching(/iris|ws-|kid|scope/) });
    expect(state.refused).toHaveLength(1);
  });

  it.each([
    ["with no signature", `${part({ alg: "none", typ: "JWT", kid: "k" })}.${part(usual)}.`],
    ["with a shared secret", `${part({ alg: "HS256", typ: "JWT", kid: "k" })}.${part(usual)}.c2ln`],
  ])("is refused %s", async (_, value) => {
    await expect(doorWith().admit(value)).rejects.toMatchObject({ code: "invalid_jwt" });
  });

  it("comes in the gateway's own header, too; what is no token is left to others", async () => {
    const { admit, state } = doorWith();
    expect(await admit(await token(), "x-gateway-api-key")).toMatchObject({ workspace: "w-1" });
    for (const value of ["sk-1234567890", "a.b.c"]) expect(await admit(value)).toBeUndefined();
    expect(state.checks).toBe(1);
  });
});

describe("what was checked", () => {
  let good: string;
  let bad: string;
  beforeEach(async () => {
    good = await token({ claims: { exp: seconds + 100 } });
    bad = await token({ key: another });
  });

  it("is known until it expires", async () => {
    const { admit, state } = doorWith();
    const first = await admit(good);
    state.now += 159_000;
    expect(await admit(good)).toBe(first);
    expect(state.checks).toBe(1);
    state.now += 1_000;
    await expect(admit(good)).rejects.toMatchObject({ code: "invalid_jwt" });
    expect(state.checks).toBe(2);
  });

  it("is known as bad for half a minute, and told once", async () => {
    const { admit, state } = doorWith();
    for (let time = 0; time < 5; time++) await expect(admit(bad)).rejects.toMatchObject({ code: "invalid_jwt" });
    expect([state.checks, state.refused.length]).toEqual([1, 1]);
    state.now += 30_000;
    await expect(admit(bad)).rejects.toMatchObject({ code: "invalid_jwt" });
    expect(state.checks).toBe(2);
  });

  it("is checked again when the set of keys has changed", async () => {
    const { admit, state } = doorWith();
    await admit(good);
    state.generation++;
    state.known = new Map();
    await expect(admit(good)).rejects.toMatchObject({ code: "invalid_jwt" });
    state.generation++;
    state.known = set;
    expect(await admit(good)).toMatchObject({ workspace: "w-1" });
  });

  it("follows its workspace", async () => {
    const { admit } = doorWith();
    const [, one] = [...workspaces].find(([slug]) => slug === "ws-one") ?? [];
    if (!one) throw new Error("it is gone");
    expect(await admit(good)).toMatchObject({ metadata: { team: "one" } });
    workspaces.set("ws-one", { ...one, metadata: { team: "changed" } });
    expect(await admit(good)).toMatchObject({ metadata: { team: "changed" } });
    workspaces.delete("ws-one");
    await expect(admit(good)).rejects.toMatchObject({ code: "forbidden" });
    workspaces.set("ws-one", one);
  });
});
