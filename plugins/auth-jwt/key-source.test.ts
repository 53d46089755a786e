import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keepingLogger } from "../../test/support/gateway.ts";
import { LastSets, RemoteKeys } from "./key-source.ts";

const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwk = publicKey.export({ format: "jwk" });
const hour = 60 * 60_000;

/** An issuer with keys by id, a count of the times it was asked, and a clock. */
function issuer(url = "https://issuer.example/jwks", last = new LastSets()) {
  const log = keepingLogger();
  const state = { kids: ["a"], status: 200, text: undefined as string | undefined, asked: 0, now: 1_000_000 };
  const keys = new RemoteKeys({
    url,
    algorithms: ["RS256"],
    log,
    now: () => state.now,
    trusted: true,
    last,
    async ask({ timeout, trusted }) {
      expect({ timeout, trusted }).toEqual({ timeout: 5000, trusted: true });
      state.asked++;
      const text = state.text ?? JSON.stringify({ keys: state.kids.map((kid) => ({ ...jwk, kid })) });
      return { status: state.status, headers: {}, text };
    },
  });
  const finds = async (kid: string): Promise<boolean | string> =>
    keys.find(kid).then(
      (found) => found !== undefined,
      ({ code }) => code,
    );
  return { state, keys, finds, log };
}

describe("a key set at a URL", () => {
  it("is fetched once, however many ask", async () => {
    const { state, finds } = issuer();
    expect(state.asked).toBe(0);
    expect(await Promise.all(["a", "a", "a"].map(finds))).toEqual([true, true, true]);
    expect(await finds("a")).toBe(true);
    expect(state.asked).toBe(1);
  });

  it("is fetched again for a key that is not in it, once in a minute", async () => {
    const { state, keys, finds } = issuer();
    await finds("a");
    const { generation } = keys;
    state.kids = ["a", "b"];
    expect(await finds("b")).toBe(false);
    state.now += 60_000;
    expect(await Promise.all([finds("b"), finds("b")])).toEqual([true, true]);
    expect([state.asked, keys.generation]).toEqual([2, generation + 1]);
    expect([await finds("c"), await finds("c")]).toEqual([false, false]);
    expect(state.asked).toBe(2);
  });

  it("is fetched again after a day, while it is used", async () => {
    const { state, keys, finds } = issuer();
    await finds("a");
    state.now += 24 * hour;
    keys.tend();
    expect(state.asked).toBe(1);
    state.kids = ["b"];
    state.now += 1;
    keys.tend();
    keys.tend();
    expect(state.asked).toBe(2);
    await expect.poll(() => finds("a")).toBe(false);
    expect(await finds("b")).toBe(true);
  });

  it.each<[string, Partial<ReturnType<typeof issuer>["state"]>]>([
    ["it fails", { status: 500 }],
    ["it is moved elsewhere", { status: 302 }],
    ["it is no JSON", { text: "<html>" }],
    ["it holds no usable key", { text: '{"keys":[]}' }],
    ["it holds a private key", { text: JSON.stringify({ keys: [{ ...jwk, kid: "a", d: "x" }] }) }],
  ])("is used for a day more while the newer one cannot be had: %s", async (_, trouble) => {
    const { state, finds } = issuer();
    await finds("a");
    Object.assign(state, trouble);
    state.now += 47 * hour;
    expect(await finds("a")).toBe(true);
    state.now += hour + 1;
    expect(await finds("a")).toBe("store_unavailable");
  });

  it("is fetched anew after a reload, and used where it cannot be", async () => {
    const last = new LastSets();
    const before = issuer(undefined, last);
    await before.finds("a");
    const { state, keys, finds } = issuer(undefined, last);
    state.status = 503;
    expect(await Promise.all([finds("a"), finds("a"), finds("b")])).toEqual([true, true, false]);
    expect([await finds("a"), state.asked]).toEqual([true, 1]);
    state.now += 60_000;
    Object.assign(state, { status: 200, kids: ["b"] });
    keys.tend();
    await expect.poll(() => finds("a")).toBe(false);
    expect([await finds("b"), state.asked]).toEqual([true, 2]);
    expect(await issuer("https://another.example/jwks", last).finds("b")).toBe(false);
    const late = issuer(undefined, last);
    Object.assign(late.state, { status: 503, now: state.now + 48 * hour + 1 });
    expect(await late.finds("b")).toBe("store_unavailable");
  });

  it("that could not be had is told of without the secrets in its URL", async () => {
    const { state, finds, log } = issuer("https://issuer.example/jwks?code=very-secret");
    state.status = 503;
    await finds("a");
    expect(log.lines).toMatchObject([{ fields: { url: "https://issuer.example/jwks?code=ve*******et" } }]);
  });

  it("is asked for again five seconds after it could not be had", async () => {
    const { state, finds } = issuer();
    state.status = 503;
    expect([await finds("a"), await finds("a")]).toEqual(["store_unavailable", "store_unavailable"]);
    expect(state.asked).toBe(1);
    state.status = 200;
    state.now += 5_000;
    expect(await finds("a")).toBe(true);
  });
});
