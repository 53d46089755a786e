import { describe, expect, it } from "vitest";
import { whyNoEmbeddings } from "./no-embeddings.ts";
import { vectorOf } from "./semantic.ts";
import { type Asked, embeddingModel, keys, question, startCached } from "./testing.ts";

const semantic = { provider: "@openai", cache: { mode: "semantic" } };
const options = `{ semantic: { provider: other, model: ${embeddingModel}, deadline: 300 } }`;
const start = (more: Parameters<typeof startCached>[0] = {}) => startCached({ options, ...more });

/** 18 degrees are a cosine of 0.951, 19 of 0.9455. */
const says = (content: unknown, more: object = {}) => ({ model: "m", messages: [{ role: "user", content }], ...more });
const asked: Asked = { config: semantic };

const textIn = ({ text }: { readonly text: string }): string => JSON.parse(text).choices[0].message.content;

describe("a semantic cache", () => {
  it("answers what means the same, by the threshold", async () => {
    const { ask, calls } = await start();
    expect((await ask(says("0 what is the time"), asked)).cache).toBe("SEMANTIC MISS");
    const near = await ask(says("18 tell me the time"), asked);
    expect(near).toMatchObject({ status: 200, cache: "SEMANTIC HIT", text: expect.stringContaining("Answer 1.") });
    expect((await ask(says("19 what is the date"), asked)).cache).toBe("SEMANTIC MISS");
    expect(calls()).toBe(2);
  });

  it("answers the same question without asking for an embedding", async () => {
    const { ask, upstream } = await start();
    await ask(says("0 what"), asked);
    expect((await ask(says("0 what"), asked)).cache).toBe("HIT");
    expect(upstream.received.filter(({ url }) => url === "/v1/embeddings")).toHaveLength(1);
  });

  it("answers with the nearest of several, whole and as a stream", async () => {
    const { ask } = await start();
    await ask(says("0 one"), asked);
    await ask(says("30 two"), asked);
    expect((await ask(says("14 which"), asked)).text).toContain("Answer 1.");
    const streamed = await ask(says("17 which", { stream: true }), asked);
    expect(streamed).toMatchObject({
      cache: "SEMANTIC HIT",
      text: expect.stringMatching(/Answer 2\.[\s\S]*\[DONE\]\n\n$/),
    });
  });

  it("has a threshold of one's own", async () => {
    const own = options.replace("deadline", "threshold: 0.5, deadline");
    const { ask } = await start({ options: own });
    await ask(says("0 one"), asked);
    expect((await ask(says("59 two"), asked)).cache).toBe("SEMANTIC HIT");
    expect((await ask(says("-61 three"), asked)).cache).toBe("SEMANTIC MISS");
  });

  it("works for text completions", async () => {
    const { ask, calls } = await start();
    const completions: Asked = { ...asked, path: "/v1/completions" };
    expect((await ask({ model: "m", prompt: "0 one" }, completions)).cache).toBe("SEMANTIC MISS");
    expect((await ask({ model: "m", prompt: ["5 two"] }, completions)).cache).toBe("SEMANTIC HIT");
    expect((await ask({ model: "m", prompt: ["5 two", "6 three"] }, completions)).cache).toBe("MISS");
    expect(calls()).toBe(2);
  });

  it("replaces on a refresh all that means the same", async () => {
    const { ask } = await start();
    await ask(says("0 one"), asked);
    const headers = { "x-gateway-cache-force-refresh": "true" };
    expect((await ask(says("10 two"), { ...asked, headers })).cache).toBe("REFRESH");
    await expect.poll(async () => (await ask(says("1 three"), asked)).text, { interval: 5 }).toContain("Answer 2.");
    expect((await ask(says("0 one"), asked)).cache).toBe("SEMANTIC HIT");
  });

  it("replaces them however many they are", async () => {
    // Asked at the same time, none of them finds another.
    const { ask } = await start({
      taps: `const waiting = [];
      hooks.beforeRequest.tapPromise({ name: "t", stage: Stage.limit }, async (request, exchange) => {
        if (!exchange.headers.together) return request;
        await new Promise((resolve) => {
          if (waiting.push(resolve) === 5) for (const go of waiting) go();
        });
        return request;
      });`,
    });
    const alike = [-10, -5, 5, 10, 15].map((angle) => says(`${angle} one`));
    const together = { ...asked, headers: { together: "yes" } };
    const first = await Promise.all(alike.map((body) => ask(body, together)));
    expect(new Set(first.map(({ cache }) => cache))).toEqual(new Set(["SEMANTIC MISS"]));
    const headers = { "x-gateway-cache-force-refresh": "true" };
    const refreshed = await ask(says("0 two"), { ...asked, headers });
    for (const body of alike)
      await expect.poll(async () => textIn(await ask(body, asked)), { interval: 5 }).toBe(textIn(refreshed));
  });

  it("does not answer with what is no longer there", async () => {
    const { ask } = await start({
      taps: `const store = service(Cache);
      hooks.beforeRequest.tap({ name: "t", stage: Stage.enrich }, (request, exchange) => {
        if (exchange.headers.lost) store.get = () => undefined;
        return request;
      });`,
    });
    await ask(says("0 one"), asked);
    expect((await ask(says("1 two"), { ...asked, headers: { lost: "yes" } })).cache).toBe("SEMANTIC MISS");
  });

  it("goes on with vectors of another length where the vendor's model has become another", async () => {
    const { ask } = await start();
    await ask(says("0 one"), asked);
    expect((await ask(says("1 longer embedding"), asked)).cache).toBe("SEMANTIC MISS");
    expect((await ask(says("2 longer embedding"), asked)).cache).toBe("SEMANTIC HIT");
  });

  it("leaves a vendor that keeps silent alone after five embeddings: not every request waits for it", async () => {
    const { ask, calls, upstream } = await start({ options: options.replace("300", "20") });
    for (let n = 0; n < 7; n++) expect((await ask(says(`${n} slow embedding`), asked)).cache).toBe("MISS");
    expect(upstream.received.filter(({ url }) => url === "/v1/embeddings")).toHaveLength(5);
    expect(calls()).toBe(7);
  });

  it("says whose behalf embeddings are asked on", async () => {
    const { ask, gateway } = await start();
    await ask(says("0 one"), asked);
    const lines = gateway.log.lines.filter(({ message }) => message === "request").map(({ fields }) => fields);
    expect(lines).toMatchObject([
      { path: "/internal", who: "a", provider: "other" },
      { who: "a", provider: "openai" },
    ]);
  });
});

describe("a semantic cache never mixes", () => {
  const tools = [{ type: "function", function: { name: "a", parameters: {} } }];
  const format = { type: "json_schema", json_schema: { name: "s", schema: { type: "object" } } };
  const system = (content: string) => ({
    messages: [
      { role: "system", content },
      { role: "user", content: "1 two" },
    ],
  });
  const image = (url: string) => [
    { type: "image_url", image_url: { url } },
    { type: "text", text: "1 what is this" },
  ];

  it.each<[string, object, Asked]>([
    ["tenants", {}, { key: keys.B }],
    ["models", { model: "n" }, {}],
    ["system prompts", system("Be kind."), {}],
    ["tools", { tools }, {}],
    ["schemas", { response_format: format }, {}],
    ["temperatures", { temperature: 0.2 }, {}],
    ["lengths", { max_tokens: 5 }, {}],
    ["providers", {}, { config: { ...semantic, provider: "@other" } }],
    ["metadata", {}, { headers: { "x-gateway-metadata": '{"plan":"b"}' } }],
    ["namespaces", {}, { headers: { "x-gateway-cache-namespace": "b" } }],
    ["numbers of messages", { messages: [...says("0 one").messages, ...says("0 one").messages] }, {}],
    [
      "roles",
      {
        messages: [
          { role: "user", content: "0 one" },
          { role: "assistant", content: "Yes?" },
        ],
      },
      {},
    ],
    ["images and words", says(image("https://a.example/1.png")), {}],
  ])("%s", async (_, body, more) => {
    const { ask } = await start();
    await ask(says("0 one"), asked);
    expect((await ask({ ...says("1 two"), ...body }, { ...asked, ...more })).cache).toBe("SEMANTIC MISS");
    expect((await ask(says("1 two"), asked)).cache).toBe("SEMANTIC HIT");
  });

  it("one image and another", async () => {
    const { ask } = await start();
    await ask(says(image("https://a.example/1.png")), asked);
    expect((await ask(says(image("https://a.example/2.png")), asked)).cache).toBe("SEMANTIC MISS");
  });

  it("two system prompts", async () => {
    const { ask } = await start();
    await ask({ ...says(""), ...system("Be kind.") }, asked);
    expect((await ask({ ...says(""), ...system("Be brief.") }, asked)).cache).toBe("SEMANTIC MISS");
  });
});

describe("only the same question is answered, as in simple mode,", () => {
  const many = [1, 2, 3, 4, 5].map((n) => ({ role: n % 2 ? "user" : "assistant", content: `${n}` }));

  it.each<[string, object, Asked]>([
    ["of more than four messages", { messages: many }, {}],
    ["without a user", { messages: [{ role: "system", content: "Speak." }] }, {}],
    ["of a user without words", says([{ type: "image_url", image_url: { url: "https://a.example/1.png" } }]), {}],
    ["of 8,191 tokens", says("x".repeat(8191 * 4)), {}],
    ["of other routes", says("0 one", { max_tokens: 5 }), { path: "/v1/messages" }],
    ["of embeddings", { input: "0 one" }, { path: "/v1/embeddings" }],
    ["whose embedding fails", says("0 no embedding"), {}],
    ["whose embedding takes too long", says("0 slow embedding"), {}],
  ])("%s", async (_, body, more) => {
    const { ask, calls } = await start();
    expect(await ask({ ...question, ...body }, { ...asked, ...more })).toMatchObject({ status: 200, cache: "MISS" });
    expect((await ask({ ...question, ...body }, { ...asked, ...more })).cache).toBe("HIT");
    expect(calls()).toBe(1);
  });

  it("where nobody makes embeddings", async () => {
    const { ask } = await start({ options: "{}" });
    expect([(await ask(says("0 one"), asked)).cache, (await ask(says("0 one"), asked)).cache]).toEqual(["MISS", "HIT"]);
    expect((await ask(says("1 two"), asked)).cache).toBe("MISS");
  });

  it("in simple mode itself", async () => {
    const { ask, upstream } = await start();
    await ask(says("0 one"), { config: { provider: "@openai", cache: "simple" } });
    expect(upstream.received.map(({ url }) => url)).toEqual(["/v1/chat/completions"]);
  });
});

describe("the leaves of routing-config.md 20.8", () => {
  it("answer a similar question from the second when the first is down", async () => {
    const { ask } = await start();
    const config = {
      cache: { mode: "simple", max_age: 300 },
      strategy: { mode: "fallback" },
      targets: [
        { provider: "@openai", override_params: { model: "status-500" } },
        { provider: "@other", cache: { mode: "semantic", max_age: 3600 } },
      ],
    };
    expect((await ask(says("0 one"), { config })).cache).toBe("SEMANTIC MISS");
    const similar = await ask(says("3 two"), { config });
    expect([similar.status, similar.cache]).toEqual([200, "SEMANTIC HIT"]);
    expect(similar.headers.get("x-gateway-last-used-option-index")).toBe("config.targets[1]");
  });
});

describe("semantic options", () => {
  it("name a provider of the file", async () => {
    const nobody = "{ semantic: { provider: nobody, model: m } }";
    await expect(startCached({ options: nobody })).rejects.toThrow(/names the provider "nobody"/);
  });

  it.each([
    ["openai", []],
    ["anthropic", [/no plugin that is loaded brings a format in which anthropic makes embeddings/]],
  ])("of a provider that cannot embed are warned of: %s", async (provider, said) => {
    const { gateway } = await startCached({ options: `{ semantic: { provider: ${provider}, model: m } }` });
    const warned = gateway.log.lines.filter(({ level }) => level === "warn");
    expect(warned).toMatchObject(said.map((why) => ({ fields: { provider, why: expect.stringMatching(why) } })));
  });

  it.each([
    [{ operations: {} }, "no plugin that is loaded brings a format in which acme makes embeddings"],
    [{ lacks: "a region" }, "it needs a region"],
    [{ usable: false }, "it has no credential"],
    [{}, undefined],
  ])("say what a provider lacks: %j", (more, why) => {
    const bound = { name: "acme", usable: true, operations: { embed: [{ format: "openai-embeddings" }] }, ...more };
    expect(whyNoEmbeddings(bound as never)).toBe(why);
  });
});

describe("a vector", () => {
  it("is read from numbers and from base64, of the length asked for", () => {
    const base64 = Buffer.from(Float32Array.of(0.5, -1).buffer).toString("base64");
    expect(vectorOf([0.5, -1])).toEqual(Float32Array.of(0.5, -1));
    expect(vectorOf(base64)).toEqual(Float32Array.of(0.5, -1));
    expect(vectorOf([0.5, -1], 3)).toBeUndefined();
    expect(vectorOf([])).toBeUndefined();
    expect(vectorOf(undefined)).toBeUndefined();
  });
});
