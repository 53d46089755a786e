import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { startFreeGateway, type TestGateway } from "../support/gateway.ts";
import { type Answered, type Caller, folderOfFile, wholeControlPlane } from "../support/management.ts";

export type { Answered };

export type Call = Caller;

/** A gateway that is a whole control plane. */
export interface Replica {
  readonly gateway: TestGateway;
  /** Calls with a key. */
  as(key: string): Call;
  readonly admin: Call;
}

const adminKey = "the-admin-key-of-a-test";

/** Starts one over a store of records. They share what they keep when they share the store. */
export async function startReplica(store: Record<string, unknown>): Promise<Replica> {
  const gateway = await startFreeGateway(
    JSON.stringify({
      plugins: {
        ...store,
        management: { requestsPerMinute: 0 },
        organisations: {},
        ...wholeControlPlane,
        "api-keys": { bootstrapKey: adminKey },
        feedback: undefined,
      },
      providers: { simulator: {} },
    }),
    { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
    folderOfFile(),
  );
  const as =
    (key: string): Call =>
    async (method, path, body, headers = {}) => {
      const response = await fetch(`${gateway.url}/v1${path}`, {
        method,
        headers: { "x-gateway-api-key": key, "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === "" ? undefined : JSON.parse(text),
      };
    };
  return { gateway, as, admin: as(adminKey) };
}

/** A vendor that speaks OpenAI's format and says who asked. */
export async function startVendor(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const message = { role: "assistant", content: `for ${request.headers.authorization}` };
      const choices = [{ index: 0, finish_reason: "stop", message }];
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface MadeKey {
  readonly id: string;
  readonly key: string;
}

/** What was made through the API. */
export interface Made {
  readonly key: MadeKey;
  /** One that is about to be deleted. */
  readonly doomed: MadeKey;
  readonly config: string;
  readonly provider: string;
  readonly prompt: string;
  readonly workspace: string;
}

const messages = [{ role: "user", content: "Hi" }];

/** A key of a workspace that may ask for answers. */
export async function makeKey({ admin }: Pick<Replica, "admin">, workspace_id: string): Promise<MadeKey> {
  const { status, body } = await admin("POST", "/api-keys/workspace/service", {
    name: "k",
    workspace_id,
    scopes: ["completions.write"],
  });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Everything a request can depend on, in a workspace of its own. */
export async function make({ admin }: Replica, vendor: string, name: string): Promise<Made> {
  const done = async (path: string, body: object) => {
    const answered = await admin("POST", path, body);
    if (answered.status !== 200) throw new Error(`${path}: ${answered.status} ${JSON.stringify(answered.body)}`);
    return answered.body.data ?? answered.body;
  };
  const { uuid: workspace_id } = await done("/admin/workspaces", { name });
  const [key, doomed] = [await makeKey({ admin }, workspace_id), await makeKey({ admin }, workspace_id)];
  const { slug: config } = await done("/configs", { name, workspace_id, config: configFor("first") });
  const provider = `p-${name}`;
  await done("/integrations", {
    name,
    slug: provider,
    workspace_id,
    ai_provider_id: "openai",
    key: "sk-stored-0123456789",
    configurations: { custom_host: `${vendor}/v1` },
  });
  const { slug: collection_id } = await done("/collections", { name, workspace_id });
  const { slug: prompt } = await done("/prompts", {
    name,
    collection_id,
    workspace_id,
    string: JSON.stringify(messages),
    parameters: {},
    virtual_key: "simulator",
    model: "m",
  });
  return { key, doomed, config, provider, prompt, workspace: workspace_id };
}

export const configFor = (model: string) => ({ provider: "@simulator", override_params: { model } });

export const chat = { model: "m", messages };

/** What goes on without a store once it was used. */
export const requests: Readonly<Record<string, (call: Call, made: Made) => Promise<Answered>>> = {
  "with a known key": (call) => call("POST", "/chat/completions", chat),
  "with a saved config": (call, { config }) => call("POST", "/chat/completions", chat, { "x-gateway-config": config }),
  "with a stored provider": (call, { provider }) =>
    call("POST", "/chat/completions", chat, { "x-gateway-provider": `@${provider}` }),
  "with a virtual key": (call, { provider }) =>
    call("POST", "/chat/completions", chat, { "x-gateway-virtual-key": provider }),
  "of a prompt": (call, { prompt }) => call("POST", `/prompts/${prompt}/completions`, {}),
};

/** How a replica serves what was made, seen from outside. */
export function watch(replica: Replica, made: Made) {
  const call = replica.as(made.key.key);
  const all = () =>
    Promise.all(Object.entries(requests).map(async ([name, ask]) => ({ name, ...(await ask(call, made)) })));
  return {
    /** Everything that was used before is served; of a replica that waits for its store for ever, without waiting for it. */
    async goesOn(): Promise<void> {
      for (const { name, status, body } of await all()) expect({ name, status, body }).toMatchObject({ status: 200 });
    },
    /** The model that the saved config says. */
    model: async () => (await requests["with a saved config"]?.(call, made))?.body.model as unknown,
    /** The status a key is answered with. */
    entry: async (key: string) => (await replica.as(key)("POST", "/chat/completions", chat)).status,
    /** The components that are named as degraded by a gateway that says it is ready. */
    async degraded(): Promise<unknown> {
      const { status, body } = await replica.admin("GET", "/ready");
      expect({ status, state: body.status }).toEqual({ status: 200, state: "ready" });
      return body.degraded;
    },
    /** The status of a change of the saved config, through some replica. */
    change: async (through: Replica, name: string) =>
      (await through.admin("PUT", `/configs/${made.config}`, { config: configFor(name) })).status,
  };
}
