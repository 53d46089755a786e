import { expect, it } from "vitest";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";

const image = { image: { high: { "1024x1024": 1 } } };
const everyOpenAi = { conditions: [{ key: "provider", value: "openai" }], group_by: [{ key: "provider" }] };
const keys = { one: "key-one-0123456789abcdef0123456789", two: "key-two-0123456789abcdef0123456789" };

/** A gateway whose keys are in its config file: nobody is of an organisation. */
async function started(usageLimits: object) {
  const held: (() => void)[] = [];
  const upstream = await startUpstream(({ url }, response) => {
    if (!url.endsWith("/images/generations"))
      return json(response, 200, {
        id: "c",
        object: "chat.completion",
        created: 1,
        model: "m",
        choices: [],
        usage: {},
      });
    held.push(() => json(response, 200, { created: 1, data: [{ url: "https://images.example/1" }] }));
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-keys": { keys: Object.entries(keys).map(([name, key]) => ({ name, key })) },
        routing: { default: "openai" },
        "format-openai-chat": {},
        "format-openai-images": {},
        "records-file": {},
        management: {},
        organisations: {},
        "counters-memory": {},
        pricing: { models: { "openai/img": image } },
        "policy-records": { usageLimits },
        "usage-limits": {},
      },
      providers: { openai: { apiKey: "sk-0123456789", baseUrl: upstream.url } },
    }),
    {},
    folderOfFile(),
  );
  const ask = async (key: string, path: string, body: object) => {
    const response = await fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-gateway-api-key": key },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  };
  return { ask, held };
}

it("a policy of the file counts all keys of the file together", async () => {
  const policy = { ...everyOpenAi, type: "requests", credit_limit: 2, enforcement: "hard" };
  const { ask } = await started({ policy });
  const chat = { model: "m", messages: [{ role: "user", content: "Hi" }] };
  const statuses = [];
  for (const key of [keys.one, keys.two, keys.one, keys.two])
    statuses.push(await ask(key, "/v1/chat/completions", chat));
  expect(statuses).toEqual([200, 200, 412, 412]);
});

it("a hard budget makes room for images before they are made", async () => {
  const policy = { ...everyOpenAi, type: "cost", credit_limit: 2.5, enforcement: "hard" };
  const { ask, held } = await started({ policy });
  const picture = { model: "img", prompt: "A cat.", quality: "high", size: "1024x1024" };
  const draw = (more: object = {}) => ask(keys.one, "/v1/images/generations", { ...picture, ...more });
  expect(await draw({ n: 3 })).toBe(412);
  const drawn = [draw(), draw()];
  await expect.poll(() => held.length).toBe(2);
  expect(await draw()).toBe(412);
  for (const answer of held) answer();
  expect(await Promise.all(drawn)).toEqual([200, 200]);
});
