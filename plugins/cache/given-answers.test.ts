import { describe, expect, it } from "vitest";
import { question, simple, startCached } from "./testing.ts";

describe("a config that says whether to stream", () => {
  it.each([true, false])("is followed by what is kept, too (stream: %s)", async (stream) => {
    const { ask } = await startCached();
    const config = { ...simple, override_params: { stream } };
    const asked = { ...question, stream: !stream };
    const type = stream ? /^text\/event-stream/ : /^application\/json/;
    for (const status of ["MISS", "HIT"]) {
      const { cache, headers } = await ask(asked, { config });
      expect([cache, headers.get("content-type")]).toEqual([status, expect.stringMatching(type)]);
    }
  });
});

describe("what a translation loses", () => {
  const config = { provider: "@anthropic", cache: "simple" };
  const lossy = { ...question, max_tokens: 9, seed: 5, logit_bias: { "1": 2 } };
  const named = "x-gateway-dropped-params";

  it("is told with what is kept, too", async () => {
    const { ask } = await startCached();
    for (const status of ["MISS", "HIT"])
      for (const [body, names] of [
        [lossy, "logit_bias,seed"],
        [{ ...lossy, seed: undefined }, "logit_bias"],
        [{ ...question, max_tokens: 9 }, null],
      ] as const) {
        const { cache, headers } = await ask(body, { config });
        expect([cache, headers.get(named)]).toEqual([status, names]);
      }
    const streamed = await ask({ ...lossy, stream: true }, { config });
    expect([streamed.cache, streamed.headers.get(named)]).toEqual(["HIT", "logit_bias,seed"]);
  });

  it("is refused where nothing may be lost, whatever is kept", async () => {
    const { ask } = await startCached();
    await ask(lossy, { config });
    for (const namespace of [{}, { "x-gateway-cache-namespace": "n" }]) {
      await ask(lossy, { config, headers: { ...namespace } });
      const headers = { ...namespace, "x-gateway-strict-params": "true" };
      expect(await ask(lossy, { config, headers })).toMatchObject({ status: 400, cache: "MISS" });
    }
  });
});

describe("an answer of the Responses API", () => {
  const path = "/v1/responses";
  const responses = { path, config: { provider: "@anthropic", cache: "simple" } };
  const body = { model: "m", input: "What is the time?", max_output_tokens: 9 };

  it("that failed is not kept", async () => {
    const { ask } = await startCached();
    const failed = { ...body, model: "failed" };
    expect([(await ask(failed, { path })).cache, (await ask(failed, { path })).cache]).toEqual(["MISS", "MISS"]);
  });

  it.each([
    ["another format", "@anthropic"],
    ["that API", "@openai"],
  ])("of a vendor of %s is replayed with ids of its own, whole and as a stream", async (_, provider) => {
    const { ask, calls } = await startCached();
    const responses = { path, config: { provider, cache: "simple" } };
    const first = await ask(body, responses);
    const [again, more] = [await ask(body, responses), await ask(body, responses)];
    const streamed = await ask({ ...body, stream: true }, responses);
    expect([first, again, more, streamed].map(({ cache }) => cache)).toEqual(["MISS", "HIT", "HIT", "HIT"]);
    const ids = [first, again, more].flatMap(({ text }) => {
      const { id, output } = JSON.parse(text) as { id: string; output: { id: string }[] };
      return [id, output[0]?.id];
    });
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toMatch(/^(?:resp|msg)_/);
    expect(streamed.text).toContain("event: response.completed");
    expect(streamed.text).not.toContain("[DONE]");
    expect(calls()).toBe(1);
  });

  it("that is not whole is replayed as a stream that says so at its end", async () => {
    const { ask } = await startCached();
    const whole = await ask({ ...body, model: "full" }, responses);
    expect(JSON.parse(whole.text)).toMatchObject({ status: "incomplete" });
    const { cache, text } = await ask({ ...body, model: "full", stream: true }, responses);
    const events = [...text.matchAll(/^event: (\S+)$/gm)].map(([, type]) => type);
    // SDKs that put an answer together want it to begin, whatever its end is.
    expect([cache, events.at(0), events.at(-1)]).toEqual(["HIT", "response.created", "response.incomplete"]);
    expect(text).toContain('"incomplete_details":{"reason":"max_output_tokens"}');
    expect(text).not.toContain("response.completed");
  });
});
