import { describe, expect, it } from "vitest";
import type { Exchange } from "../model/exchange.ts";
import type { Principal } from "../model/principal.ts";
import { PrefixedHeaders } from "../pipeline/exchange-state.ts";
import { carriedBy, credentialOf, isToken } from "./credential.ts";

const asking = (headers: Record<string, string>, url = "/v1/models") =>
  ({ headers, url, gatewayHeaders: new PrefixedHeaders(headers, ["x-gateway-"]) }) as unknown as Exchange;

describe("a credential", () => {
  it.each<[string, Record<string, string>, string, string | undefined, boolean]>([
    ["nowhere", {}, "/v1/models", undefined, false],
    ["in the gateway's own header first", { "x-gateway-api-key": "a", authorization: "Bearer b" }, "/", "a", true],
    ["in authorization", { authorization: "Bearer b", "x-api-key": "c" }, "/", "b", false],
    ["in authorization without a scheme", { authorization: "b" }, "/", "b", false],
    ["in an authorization that says nothing", { authorization: "Bearer ", "x-api-key": "c" }, "/", undefined, false],
    ["in x-api-key", { "x-api-key": " c ", "x-goog-api-key": "d" }, "/", "c", false],
    ["in x-goog-api-key", { "x-goog-api-key": "d" }, "/?key=e", "d", false],
    ["in api-key", { "api-key": " d " }, "/?api-key=e", "d", false],
    ["in the query, with api-key for the provider", { "api-key": "d" }, "/?key=e", "e", false],
    ["in api-key last of the headers", { "x-goog-api-key": "d", "api-key": "e" }, "/", "d", false],
    ["in the query", {}, "/v1beta/models?a=b&key=e%2Ff", "e/f", false],
    ["in the query of a socket", {}, "/v1/realtime?model=m&api-key=e%2Ff", "e/f", false],
    ["in a query that cannot be read", {}, "/?key=%zz", undefined, false],
  ])("stands %s", (_, headers, url, value, own) =>
    expect(credentialOf(asking(headers, url))).toEqual(value === undefined ? undefined : { value, own }),
  );

  it.each<[string, Record<string, string>, string, Partial<Principal>]>([
    ["its own header alone", { "x-gateway-api-key": "k", authorization: "Bearer other" }, "/", {}],
    ["authorization", { authorization: "bearer k" }, "/", { credentialHeaders: ["authorization"] }],
    [
      "everything that holds it",
      { "x-gateway-api-key": "k", "api-key": "k", "x-api-key": "k", authorization: "k" },
      "/?key=k",
      { credentialHeaders: ["authorization", "x-api-key", "api-key"], credentialParameters: ["key"] },
    ],
    ["the query", {}, "/?key=k", { credentialHeaders: [], credentialParameters: ["key"] }],
    ["both parameters", {}, "/?api-key=k&key=k", { credentialHeaders: [], credentialParameters: ["key", "api-key"] }],
  ])("was carried by %s", (_, headers, url, more) => {
    const principal = { id: "p" };
    const exchange = asking(headers, url);
    const told = carriedBy(principal, exchange, { value: "k", own: true });
    expect(told).toEqual({ id: "p", ...more });
    expect(carriedBy(principal, exchange, { value: "k", own: true })).toBe(told);
  });

  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");
  it.each<[string, string, boolean]>([
    ["a token", `${part({ alg: "RS256" })}.${part({})}.c2ln`, true],
    ["one without a signature", `${part({ alg: "none" })}.${part({})}.`, true],
    ["three words", "one.two.three", false],
    ["JSON that names no algorithm", `${part({ typ: "JWT" })}.${part({})}.c2ln`, false],
    ["two parts", `${part({ alg: "RS256" })}.${part({})}`, false],
    ["a key", "sk-proj-1234567890", false],
  ])("tells %s", (_, value, token) => expect(isToken(value)).toBe(token));
});
