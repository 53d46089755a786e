import fc from "fast-check";
import { expect, it } from "vitest";
import type { Exchange, OrganisationFacts } from "../../core/index.ts";
import { PrefixedHeaders } from "../../core/pipeline/exchange-state.ts";
import { chance } from "../../test/support/chance.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { Door } from "./door.ts";
import { LastSets, RemoteKeys } from "./key-source.ts";
import {
  type Drawn,
  isGood,
  isSignable,
  jwksOf,
  type PairName,
  type Published,
  pairs,
  type Rules,
  signs,
  tokenOf,
} from "./token-testing.ts";
import { Tokens } from "./tokens.ts";

const home = "11111111-1111-4111-8111-111111111111";
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const kids = ["a", "a", "b", "c"];
const names = Object.keys(pairs) as PairName[];
const seldom = <One>(usual: One, ...others: readonly One[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const published = fc.array(
  fc.record({
    pair: fc.constantFrom<PairName>("one", "one", ...names),
    kid: seldom<string | undefined>("a", "b", "b", "c", undefined),
    alg: fc.constantFrom(undefined, undefined, "RS256", "ES256", "PS256", "EdDSA", "HS256"),
    use: seldom<string | undefined>(undefined, "sig", "enc"),
  }),
  { maxLength: 5 },
);
const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    pair: fc.constantFrom<PairName>("one", "one", ...names),
    kid: fc.oneof(fc.constantFrom(...kids), seldom<string | undefined>("a", "unknown", undefined)),
    alg: fc.constantFrom("RS256", "RS256", "RS512", "PS256", "ES256", "ES384", "EdDSA", "HS256", "none"),
    typ: seldom<string | undefined>("JWT", undefined, "at+jwt"),
    exp: fc.oneof(fc.constant(100_000_000), seldom<number | undefined>(600, -59, -60, -61, 1, undefined)),
    nbf: seldom<number | undefined>(undefined, -5, 60, 61, 600),
    iat: seldom<number | undefined>(undefined, 0, 60, 61, 600),
    iss: seldom("https://issuer.example", "https://other.example"),
    aud: seldom("gateway", "another"),
    scope: seldom("completions.write", ""),
    spoilt: seldom<Drawn["spoilt"]>("no", "signature", "claims"),
  })
  .map((one) => (isSignable(one) ? one : { ...one, alg: "RS256", pair: "one" as const }));

const waits = [
  0,
  second,
  4_999,
  5_000,
  29_000,
  59_999,
  minute,
  10 * minute,
  23 * hour,
  25 * hour,
  47 * hour,
  49 * hour,
];
type Trouble = "none" | "fails" | "breaks" | "junk" | "spoilt";
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ tokens: fc.array(drawn, { minLength: 1, maxLength: 4 }), twice: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ again: fc.nat({ max: 99 }) }) },
  { weight: 3, arbitrary: fc.record({ wait: fc.constantFrom(...waits) }) },
  { weight: 2, arbitrary: fc.record({ publish: published }) },
  {
    weight: 1,
    arbitrary: fc.record({ trouble: fc.constantFrom<Trouble>("none", "none", "fails", "breaks", "junk", "spoilt") }),
  },
  { weight: 1, arbitrary: fc.constant({ reload: true }) },
);
const rules: fc.Arbitrary<Rules> = fc.record({
  algorithms: fc.constantFrom<Rules["algorithms"]>(["RS256"], ["RS256", "ES256"], ["EdDSA", "PS256", "ES384"], []),
  issuers: fc.constantFrom([], ["https://issuer.example"]),
  audiences: fc.constantFrom([], ["gateway", "more"]),
});

/** When the set was asked for. */
interface Fetch {
  readonly at: number;
  readonly generation: number;
  /** There was one that could be used meanwhile. */
  readonly hadSet: boolean;
}

class Issuer {
  now = Date.parse("2084-03-01T10:00Z");
  generation = 0;
  keys: readonly Published[] = [];
  trouble: Trouble = "none";
  readonly fetches: Fetch[] = [];
  readonly #rules: Rules;
  /** The sets that were had. */
  readonly #had: { readonly at: number; readonly set: readonly Published[] }[] = [];
  readonly #known = new Map<string, string>();
  readonly #last = new LastSets();
  #made = 0;
  #door: Door;

  constructor(given: Rules) {
    this.#rules = given;
    this.#door = this.#opened();
  }

  #opened(): Door {
    const now = () => this.now;
    const { algorithms } = this.#rules;
    const url = "https://issuer.example/jwks";
    let asking = 0;
    const ask = async () => {
      expect(++asking, "one is fetched at a time").toBe(1);
      const { keys, trouble } = this;
      const isUsable =
        trouble === "none" && keys.some(({ pair, kid, use }) => kid !== undefined && pair !== "weak" && use !== "enc");
      const hadSet = this.set !== undefined;
      const { now: at, generation } = this;
      this.fetches.push({ at, generation, hadSet });
      await new Promise(setImmediate);
      asking--;
      if (isUsable) this.#had.push({ at: this.now, set: keys });
      if (trouble === "breaks") throw new Error("ECONNRESET");
      const text = trouble === "junk" ? "<html>" : JSON.stringify(jwksOf(keys, trouble === "spoilt"));
      return { status: trouble === "fails" ? 503 : 200, headers: {}, text };
    };
    const remote = new RemoteKeys({ url, algorithms, ask, log: keepingLogger(), now, trusted: true, last: this.#last });
    return new Door({
      own: { keys: remote, tokens: new Tokens(now) },
      issuerOf: () => undefined,
      organisations: {
        settings: () => ({ jwt: {} }) as OrganisationFacts,
        home: async () => ({ organisation: home, workspace: "w" }),
        workspace: () => ({ id: "w", slug: "w", name: "w", organisation: home, metadata: {} }),
      },
      ...{ ...this.#rules, clockTolerance: 60, defaultScopes: [], refused: () => undefined, now },
      ...{ allowedOrganisations: [], allowedWorkspaces: [], allowedUsers: [] },
    });
  }

  /** What tokens were checked by. */
  get #version(): string {
    return `${this.generation} ${JSON.stringify(this.#had.at(-1)?.set)}`;
  }

  /** Tokens tell whole ones. */
  get #seconds(): number {
    return Math.floor(this.now / second);
  }

  reload(): void {
    this.generation++;
    this.#door = this.#opened();
  }

  /** The last one that was fetched and may be used still. */
  get set(): readonly Published[] | undefined {
    const last = this.#had.at(-1);
    return last && this.now - last.at <= 48 * hour ? last.set : undefined;
  }

  written(one: Drawn): { readonly drawn: Drawn; readonly text: string; readonly at: number } {
    return { drawn: one, text: tokenOf(one, home, this.#seconds, ++this.#made), at: this.#seconds };
  }

  /** Shows a token: what came of it is what the keys from before, or those that were fetched for it, say. */
  async show({ drawn: one, text, at }: ReturnType<Issuer["written"]>): Promise<void> {
    const before = this.set;
    const last = this.fetches.at(-1);
    const mayFetch = !last || last.generation !== this.generation || this.now - last.at >= minute;
    const headers = { authorization: `Bearer ${text}` };
    const exchange = { headers, url: "/", gatewayHeaders: new PrefixedHeaders(headers, ["x-gateway-"]) };
    const came = await Promise.resolve()
      .then(() => this.#door.admit(exchange as never as Exchange))
      .then(
        (principal) => (principal ? "in" : "nobody"),
        (error: { code?: string }) => error.code ?? String(error),
      );
    const good = isGood(one, this.#rules, this.#seconds - at);
    const after = this.set;
    const says = (set: readonly Published[] | undefined) => good && set !== undefined && signs(set, one, this.#rules);
    const allowed = new Set<string>();
    for (const set of [before, after])
      if (!set) allowed.add("store_unavailable");
      else if (says(set)) allowed.add("in");
      else allowed.add(good && signs(set, one, this.#rules) ? "in" : one.scope === "" ? "forbidden" : "invalid_jwt");
    // One that was checked is known until it expires, or the set has changed.
    if (good && this.#known.get(text) === this.#version) allowed.add("in");
    if (came === "in") this.#known.set(text, this.#version);
    // What is no token of ours at all is refused before its key is looked for, and a bad one before its scopes are.
    if (!says(after)) for (const code of ["invalid_jwt", ...(one.scope === "" ? ["forbidden"] : [])]) allowed.add(code);
    expect([...allowed], `${JSON.stringify(one)} before ${JSON.stringify(before)}`).toContain(came);
    // A key that was just published lets in at once, where the set has not been asked for within a minute.
    if (
      mayFetch &&
      this.trouble === "none" &&
      good &&
      signs(this.keys, one, this.#rules) &&
      !before?.some(({ kid }) => kid === one.kid)
    )
      expect(came, "a new key is fetched").toBe("in");
  }

  checkFetches(): void {
    for (const [index, { at, generation, hadSet }] of this.fetches.entries()) {
      const before = this.fetches[index - 1];
      if (before?.generation === generation)
        expect(at - before.at).toBeGreaterThanOrEqual(hadSet ? minute : 5 * second);
    }
  }
}

it("whoever has a token is let in if it is good by keys that are published, and by no other", async () => {
  await fc.assert(
    fc.asyncProperty(rules, published, fc.array(step, { maxLength: 40, size: "max" }), async (given, first, all) => {
      const issuer = new Issuer(given);
      issuer.keys = first;
      const shown: ReturnType<Issuer["written"]>[] = [];
      for (const one of all) {
        // What was asked for beside a request is there before the next one.
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        if ("wait" in one) issuer.now += one.wait;
        else if ("publish" in one) issuer.keys = one.publish;
        else if ("trouble" in one) issuer.trouble = one.trouble;
        else if ("reload" in one) issuer.reload();
        else {
          const made =
            "again" in one
              ? [shown[one.again % Math.max(1, shown.length)]]
              : one.tokens.map((each) => issuer.written(each));
          const tokens = made.filter((each) => each !== undefined);
          shown.push(...tokens);
          await Promise.all(
            [...tokens, ...("twice" in one && one.twice ? tokens : [])].map((each) => issuer.show(each)),
          );
        }
      }
      issuer.checkFetches();
    }),
    chance(60, 1),
  );
}, 600_000);
