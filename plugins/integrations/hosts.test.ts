import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Opened, openIntegrations } from "./testing.ts";

let opened: Opened;

beforeAll(async () => {
  opened = await openIntegrations();
});
afterAll(() => opened.close());

const host = "https://llm.example/v1";
const other = "https://elsewhere.example/v1";

/** An integration and a virtual key with these settings, each as it may be changed, and what it shows of its host. */
const kinds = [
  {
    what: "an integration",
    async open(key: string | undefined, configurations: Record<string, unknown>) {
      const body = { name: "i", ai_provider_id: "openai", key, configurations };
      const path = `/integrations/${(await opened.admin("POST", "/integrations", body)).body.slug}`;
      return {
        change: ({ key: sent, ...members }: Record<string, unknown>) =>
          opened.admin("PUT", path, { ...(sent !== undefined && { key: sent }), configurations: members }),
        shown: async () => (await opened.admin("GET", path)).body.configurations.custom_host,
        named: (member: string) => (member === "key" ? member : `configurations.${member}`),
        host: "custom_host",
      };
    },
  },
  {
    what: "a virtual key",
    async open(key: string | undefined, { custom_host: customHost, ...members }: Record<string, unknown>) {
      const member = opened.as({ workspace: opened.workspace.id });
      const body = { name: "v", provider: "openai", key, customHost, ...members };
      const path = `/virtual-keys/${(await member("POST", "/virtual-keys", body)).body.data.slug}`;
      return {
        change: (sent: Record<string, unknown>) => member("PUT", path, sent),
        shown: async () => (await member("GET", path)).body.model_config.customHost,
        named: (name: string) => name,
        host: "customHost",
      };
    },
  },
];

describe.each(kinds)("the host of $what", ({ open }) => {
  it.each<[string, string | undefined, object, object, string]>([
    ["its key", "sk-1234567890", {}, {}, "key"],
    ["another member", undefined, { some_token: "a-token-of-it" }, {}, "some_token"],
    [
      "a member beside the one that is sent",
      "sk-1234567890",
      { some_token: "a-token" },
      { key: "sk-new" },
      "some_token",
    ],
  ])("is not changed without %s", async (_, key, members, sent, missing) => {
    const { change, named, shown, host: name } = await open(key, { custom_host: host, ...members });
    const refused = await change({ [name]: other, ...sent });
    const param = named(missing);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: "AB01", param } } });
    expect(refused.body.error.message).toContain("goes to another host now");
    expect(await shown()).toBe(host);
  });

  it.each<[string, object, object]>([
    ["with its credentials", {}, { key: "sk-new", some_token: "another" }],
    ["with those it had", {}, { key: "sk-1234567890", some_token: "a-token" }],
    ["without any", { key: undefined, some_token: undefined }, {}],
  ])("is changed %s", async (_, before, sent) => {
    const { key, ...members } = { key: "sk-1234567890", some_token: "a-token", ...before };
    const { change, shown, host: name } = await open(key, { custom_host: host, ...members });
    expect(await change({ [name]: other, ...sent })).toMatchObject({ status: 200 });
    expect(await shown()).toBe(other);
  });

  it("has another path, and goes, with its key as it is", async () => {
    const { change, shown, host: name } = await open("sk-1234567890", { custom_host: host });
    expect((await change({ [name]: "https://llm.example/v2" })).status).toBe(200);
    expect((await change({ [name]: null })).status).toBe(200);
    expect(await shown()).toBeUndefined();
    expect((await change({ [name]: host })).status).toBe(400);
  });

  it("is shown without what is secret in it, and kept where it is sent back so", async () => {
    const { change, shown, named, host: name } = await open("sk-1", { custom_host: `${host}?token=of-the-host` });
    expect(await shown()).toBe(`${host}?token=of*******st`);
    expect((await change({ [name]: await shown() })).status).toBe(200);
    expect((await change({ [name]: `${host}?token=of-the-hoist` })).status).toBe(200);
    expect(await shown()).toBe(`${host}?token=of*******st`);
    const refused = await change({ [name]: `${host}?token=of*******ed` });
    expect(refused).toMatchObject({ status: 400, body: { error: { param: named(name) } } });
  });
});

it("the host of a model is shown so, too", async () => {
  const { slug } = (await opened.admin("POST", "/integrations", { name: "m", ai_provider_id: "openai", key: "k" }))
    .body;
  const path = `/integrations/${slug}/models`;
  const model = (custom_host: string) => ({ models: [{ slug: "a", enabled: true, configurations: { custom_host } }] });
  const shown = async () => (await opened.admin("GET", path)).body.models[0].configurations.custom_host;
  expect((await opened.admin("PUT", path, model(`${host}?key=of-the-model`))).status).toBe(200);
  expect(await shown()).toBe(`${host}?key=of*******el`);
  expect((await opened.admin("PUT", path, model(await shown()))).status).toBe(200);
  const refused = await opened.admin("PUT", path, model(`${host}?key=*******`));
  expect(refused).toMatchObject({ status: 400, body: { error: { param: "models[0].configurations.custom_host" } } });
});
