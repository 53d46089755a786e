import { describe, expect, it } from "vitest";
import { fileKeys, Secret } from "../../core/index.ts";
import { keyDeployment, organisation } from "./testing.ts";

const refusal = (code: string) => ({ code });

describe("a key", () => {
  it("is looked up once, and then neither asked for nor waited for", async () => {
    const { issue, admit, admitRaw, store } = keyDeployment();
    const { value, id } = await issue();
    expect(await admit(value)).toMatchObject({ id, organisation });
    store.asked = 0;
    for (let time = 0; time < 100; time++) expect(admitRaw(value)).toMatchObject({ id });
    expect(store.asked).toBe(0);
  });

  it("that is known lets in while the store is down; one that is not is 503", async () => {
    const { issue, admit, store } = keyDeployment();
    const [known, unknown] = [await issue(), await issue()];
    await admit(known.value);
    store.down = true;
    expect(await admit(known.value)).toMatchObject({ id: known.id });
    for (const place of ["x-gateway-api-key", "authorization"])
      for (const value of [unknown.value, "somebody-elses-key"])
        await expect(admit(value, place)).rejects.toMatchObject(refusal("store_unavailable"));
    store.down = false;
    expect(await admit(unknown.value)).toMatchObject({ id: unknown.id });
  });

  it("that was deleted while the store is down for this process is not taken for good once that is known", async () => {
    const { issue, keys, admit, store } = keyDeployment();
    const { value, record } = await issue();
    await admit(value);
    await keys.remove(record);
    store.down = true;
    await expect(admit(value)).rejects.toMatchObject(refusal("store_unavailable"));
    store.down = false;
    await expect(admit(value)).rejects.toMatchObject(refusal("invalid_api_key"));
  });

  it("expires", async () => {
    const { issue, admit, clock } = keyDeployment();
    const { value } = await issue({ expires_at: new Date(clock.now + 1000).toISOString() });
    expect(await admit(value)).toBeDefined();
    clock.now += 1000;
    for (const place of ["x-gateway-api-key", "authorization"])
      await expect(admit(value, place)).rejects.toMatchObject(refusal("expired_api_key"));
  });

  it("that has expired says all the same whose requests are refused, and one that is nobody's does not", async () => {
    const { issue, refusedAs, clock } = keyDeployment();
    const { value, id } = await issue({ expires_at: new Date(clock.now + 1000).toISOString() });
    clock.now += 1000;
    const owner = { id, organisation };
    for (const time of ["looked up", "known"]) expect(await refusedAs(value), time).toMatchObject(owner);
    expect(await refusedAs("nobodys")).toBeUndefined();
  });

  it("of a workspace that is gone lets nobody in", async () => {
    const { issue, admit, refusedAs, workspaces } = keyDeployment();
    workspaces.set("w", { id: "w", slug: "ws-w", organisation, name: "w", metadata: { a: "w" } });
    const { value } = await issue({ type: "workspace-service", workspace_id: "w", metadata: { a: "k", b: "k" } });
    expect(await admit(value)).toMatchObject({ workspace: "w", metadata: { a: "w", b: "k" } });
    workspaces.delete("w");
    await expect(admit(value)).rejects.toMatchObject(refusal("forbidden"));
    expect(await refusedAs(value)).toMatchObject({ organisation, workspace: "w" });
  });

  it("of another process is known at once, and unknown at once when it is gone", async () => {
    const here = keyDeployment();
    const there = keyDeployment({ store: here.store });
    const first = await there.issue();
    await expect(here.admit("warm")).rejects.toMatchObject(refusal("invalid_api_key"));
    const { value, record, id } = await there.issue();
    expect(await here.admit(value)).toMatchObject({ id });
    expect(await here.admit(first.value)).toBeDefined();
    await there.keys.remove(record);
    await expect(here.admit(value)).rejects.toMatchObject(refusal("invalid_api_key"));
  });

  it("is not unknown before the first one of all is made", async () => {
    const { issue, admit, starting } = keyDeployment();
    let done: () => void = () => undefined;
    starting.first = new Promise<void>((resolve) => {
      done = resolve;
    }).finally(() => {
      starting.first = undefined;
    });
    const asked = admit("a-value-brought-along");
    const { id } = await issue({}, { value: "a-value-brought-along" });
    done();
    expect(await asked).toMatchObject({ id });
  });

  it("of a file is known beside those of the store", async () => {
    const { admit, declared, store } = keyDeployment();
    const key = {
      name: "f",
      key: new Secret("a-key-of-the-file"),
      scopes: ["logs:list"],
      mayReplaceConfig: true,
      metadata: {},
    };
    declared.find = fileKeys([key]);
    store.asked = 0;
    expect(await admit("a-key-of-the-file")).toMatchObject({ id: "key:f", scopes: ["logs.list"] });
    expect(store.asked).toBe(0);
  });
});

describe("a value that is nobody's", () => {
  it("is refused in the gateway's own header, and elsewhere left to others", async () => {
    const { issue, admit } = keyDeployment();
    await issue();
    await expect(admit("sk-of-a-vendor")).rejects.toMatchObject(refusal("invalid_api_key"));
    for (const place of ["authorization", "x-api-key", "x-goog-api-key"])
      expect(await admit("sk-of-a-vendor", place)).toBeUndefined();
  });

  it("is refused where no key was ever made", async () => {
    const { admit } = keyDeployment();
    await expect(admit("anything-at-all")).rejects.toMatchObject(refusal("invalid_api_key"));
  });

  it("is asked for once in half a minute", async () => {
    const { issue, admit, store, clock } = keyDeployment();
    await issue();
    const tries = async (times: number) => {
      store.asked = 0;
      for (let time = 0; time < times; time++)
        await expect(admit("sk-of-a-vendor")).rejects.toMatchObject(refusal("invalid_api_key"));
      return store.asked;
    };
    await tries(1);
    expect(await tries(50)).toBe(0);
    clock.now += 29_000;
    expect(await tries(5)).toBe(0);
    clock.now += 2_000;
    expect(await tries(5)).toBe(1);
  });

  it("is not asked for more than so often, however many there are, and keys that were made here never wait", async () => {
    const { issue, admit, store, clock } = keyDeployment({ perSecond: 5 });
    const [known, made, brought] = [await issue(), await issue(), await issue({}, { value: "a-value-brought-along" })];
    await admit(known.value);
    await admit(brought.value);
    clock.now += 1000;
    store.asked = 0;
    const codes = new Map<string, number>();
    const flood = async (round: number) => {
      for (let count = 0; count < 1000; count++)
        await admit(`made-up-${round}-${count}`).catch(({ code, details }) => {
          codes.set(code, (codes.get(code) ?? 0) + 1);
          if (code === "throttled") expect(details.retryAfterSeconds).toBe(1);
        });
    };
    await flood(0);
    expect(codes).toEqual(
      new Map([
        ["invalid_api_key", 5],
        ["throttled", 995],
      ]),
    );
    clock.now += 1000;
    await flood(1);
    expect(store.asked).toBe(10);
    for (const { value, id } of [known, brought, made]) expect(await admit(value)).toMatchObject({ id });
    expect(store.asked).toBe(12);
  });

  it("and looks like a token is never asked for", async () => {
    const { issue, admit, store } = keyDeployment();
    await issue();
    await admit("warm", "authorization");
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");
    const token = `${part({ alg: "RS256" })}.${part({})}.c2ln`;
    store.asked = 0;
    expect(await admit(token, "authorization")).toBeUndefined();
    await expect(admit(token)).rejects.toMatchObject(refusal("invalid_api_key"));
    expect(store.asked).toBe(0);
  });
});

describe("a principal of an earlier request", () => {
  const hour = 3_600_000;

  it("is who its key lets in today, or nobody once that is archived or has expired", async () => {
    const { issue, admit, today, keys, clock } = keyDeployment();
    const [one, other] = [
      await issue({ expires_at: new Date(clock.now + hour).toISOString() }),
      await issue({ name: "before" }),
    ];
    const [first, second] = [await admit(one.value), await admit(other.value)];
    if (!first || !second) throw new Error("not let in");
    expect(await today(first)).toMatchObject({ id: one.id });
    clock.now += hour;
    expect(await today(first)).toBeUndefined();
    expect(await today(second)).toMatchObject({ id: other.id, name: "before" });
    await keys.remove(other.record);
    expect(await today(second)).toBeUndefined();
  });

  it("stays as it is where no key of the store stands for it", async () => {
    const { today } = keyDeployment();
    for (const principal of [{ id: "key:team" }, { id: "jwt:ana", organisation }, { id: "anyone" }])
      expect(await today(principal)).toBe(principal);
  });
});
