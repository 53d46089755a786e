import { expect, it } from "vitest";
import type { CheckTools } from "../../../core/index.ts";
import check from "../families/default/jwt.ts";
import { jwtParameters } from "./parameters.ts";
import { good, jwks, otherKid } from "./sample-tokens.ts";

/** Tools that answer one question after the other, and remember. */
function asking(...answers: unknown[]) {
  const asked: string[] = [];
  const kept = new Map<string, { value: unknown; seconds: number }>();
  const tools = {
    credentials: {},
    trusted: true,
    forwarded: {},
    ask: async ({ url }: { url: string }) => ({ status: 200, headers: {}, json: answers[asked.push(url) - 1] }),
    call: () => Promise.reject(new Error("nobody is asked")),
    recall: <Value>(key: string) => kept.get(key)?.value as Value | undefined,
    remember: (key: string, value: unknown, seconds: number) => void kept.set(key, { value, seconds }),
    now: () => Date.UTC(2026, 0, 5, 10),
  } satisfies CheckTools;
  const verdictOn = async (token: string, parameters: Record<string, unknown>) => {
    const subject = { headers: { authorization: `bearer ${token}` } } as never;
    const input = { text: "", texts: [], target: "request", subject } as const;
    return (await check.run(input, jwtParameters.parse(parameters), tools)).verdict;
  };
  return { asked, kept, verdictOn };
}

const byUri = { jwksUri: "https://id.example/keys", cacheMaxAge: 60 };
const byWord = { introspectEndpoint: "https://id.example/i", introspectCacheMaxAge: 1e9 };

it("keeps keys, and asks for newer ones once where a token names another", async () => {
  const { asked, kept, verdictOn } = asking({ keys: [{ ...jwks.keys[0], kid: "k0" }] }, jwks);
  expect(await verdictOn(good, byUri)).toBe(false);
  expect(asked).toHaveLength(1);
  expect(kept.get("jwks:https://id.example/keys")?.seconds).toBe(60);
  kept.delete("asked:https://id.example/keys");
  expect(await verdictOn(good, byUri)).toBe(true);
  expect(await verdictOn(good, byUri)).toBe(true);
  expect(await verdictOn(otherKid, byUri)).toBe(false);
  expect(asked).toHaveLength(2);
});

it("keeps the word of an issuer no longer than the token lives, and never the token", async () => {
  const expires = Date.UTC(2026, 0, 5, 10) / 1000 + 90;
  const { asked, kept, verdictOn } = asking({ active: true, exp: expires }, { active: false });
  expect([await verdictOn("opaque", byWord), await verdictOn("opaque", byWord)]).toEqual([true, true]);
  expect(asked).toHaveLength(1);
  expect([...kept.values()].map(({ seconds }) => seconds)).toEqual([90]);
  expect(JSON.stringify([...kept])).not.toContain("opaque");
  expect(await verdictOn("other", byWord)).toBe(false);
});
