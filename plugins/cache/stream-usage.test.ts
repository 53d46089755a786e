import { describe, expect, it } from "vitest";
import { type CachedGateway, question, simple, startCached } from "./testing.ts";

describe("a stream that was not asked for its usage", () => {
  const whole = { ...question, model: "asked" };
  const streamed = { ...whole, stream: true };
  const told = { ...streamed, stream_options: { include_usage: true } };
  const statuses = async ({ ask }: CachedGateway, ...bodies: object[]) => {
    const found: (string | null)[] = [];
    for (const body of bodies) found.push((await ask(body)).cache);
    return found;
  };

  it("answers no client that is to be told it, whose own answer then serves all", async () => {
    for (const client of [whole, told]) {
      const gateway = await startCached();
      expect(await statuses(gateway, streamed, streamed, client)).toEqual(["MISS", "HIT", "MISS"]);
      expect(await statuses(gateway, whole, told, streamed)).toEqual(["HIT", "HIT", "HIT"]);
      expect(JSON.parse((await gateway.ask(whole)).text).usage).toMatchObject({ total_tokens: 12 });
      expect((await gateway.ask(told)).text).toContain('"total_tokens":12');
      expect(gateway.calls()).toBe(2);
    }
  });

  it("answers all where the vendor tells it to nobody", async () => {
    const never = { ...question, model: "never" };
    const gateway = await startCached();
    expect(await statuses(gateway, { ...never, stream: true }, never, never)).toEqual(["MISS", "MISS", "HIT"]);
    expect(await statuses(gateway, { ...never, stream: true })).toEqual(["HIT"]);
  });

  it("has it where the gateway asks for it", async () => {
    const gateway = await startCached({ formats: "{ forceStreamUsage: true }" });
    expect(await statuses(gateway, streamed, whole)).toEqual(["MISS", "HIT"]);
    expect(JSON.parse((await gateway.ask(whole)).text).usage).toMatchObject({ total_tokens: 12 });
  });

  it("is one where a config asks for it, whatever the client does", async () => {
    const config = { ...simple, override_params: { stream: true } };
    const gateway = await startCached();
    expect((await gateway.ask(whole, { config })).cache).toBe("MISS");
    expect(await statuses(gateway, whole, whole)).toEqual(["MISS", "HIT"]);
    const other = await startCached();
    expect((await other.ask(streamed, { config: { ...simple, override_params: { stream: false } } })).cache).toBe(
      "MISS",
    );
    expect(await statuses(other, whole)).toEqual(["HIT"]);
  });

  it("answers again what only the vendor can read", async () => {
    const odd = { ...streamed, model: "odd", messages: 7 };
    expect(await statuses(await startCached(), odd, odd)).toEqual(["MISS", "HIT"]);
  });

  it("is not forgotten for those like it", async () => {
    const gateway = await startCached({ options: "{ semantic: { provider: openai, model: likeness-1 } }" });
    const says = (content: string, body: object) => ({ ...body, messages: [{ role: "user", content }] });
    const config = { ...simple, cache: "semantic" };
    const cache = async (body: object) => (await gateway.ask(body, { config })).cache;
    expect(await cache(says("17 which", streamed))).toBe("SEMANTIC MISS");
    expect(await cache(says("18 whole", whole))).toBe("SEMANTIC MISS");
    expect(await cache(says("17 again", streamed))).toBe("SEMANTIC HIT");
  });
});
