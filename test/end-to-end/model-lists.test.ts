import { gzipSync } from "node:zlib";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";

const gatewayBefore = (vendor: string) =>
  startTestGateway(`
plugins:
  auth-open: {}
  routing: { default: google }
  proxy: {}
  metrics: {}
providers:
  google: { baseUrl: "${vendor}", apiKey: key-of-google }
`);

const body = JSON.stringify({ models: [{ name: "models/gemini-2.5-pro", version: "2.5" }] });

describe("the list of a vendor's models (inference-api.md section 17)", () => {
  it.each(["as it is", "packed"])("is one for OpenAI's clients when it comes %s", async (how) => {
    let asked: string | undefined;
    const vendor = await startRawUpstream((incoming, response) => {
      const packed = how === "packed";
      asked = incoming.url;
      response.writeHead(200, { "content-type": "application/json", ...(packed && { "content-encoding": "gzip" }) });
      response.end(packed ? gzipSync(body) : body);
    });
    const { url } = await gatewayBefore(vendor);
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const page = await client.models.list({
      headers: { "x-gateway-provider": "@google" },
      query: { pageSize: 5 },
    });
    expect(asked).toBe("/v1beta/models?pageSize=5");
    expect(page.object).toBe("list");
    expect(page.data).toMatchObject([{ id: "gemini-2.5-pro", object: "model", created: 0, owned_by: "google" }]);
  });

  it.each([
    ["huggingface", "", "", "/v1/models?x=1"],
    ["databricks", "", "workspace: w", "/api/2.0/serving-endpoints?x=1"],
    ["workers-ai", "/client/v4/accounts/a1/ai/run", "account: a1", "/client/v4/accounts/a1/ai/models/search?x=1"],
    ["bedrock", "", "region: us-east-1", "/foundation-models?x=1"],
  ])("is asked for where %s has it", async (slug, base, option, path) => {
    let asked: string | undefined;
    const vendor = await startRawUpstream((incoming, response) => {
      asked = incoming.url;
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":[]}');
    });
    const { url } = await startTestGateway(`
plugins:
  auth-open: {}
  routing: {}
  proxy: {}
providers:
  ${slug}: { baseUrl: "${vendor}${base}", apiKey: key-0123456789, ${option} }
`);
    const answer = await fetch(`${url}/v1/models?x=1`, { headers: { "x-gateway-provider": `@${slug}` } });
    expect([answer.status, asked]).toEqual([200, path]);
  });

  /** A vendor that says `answer` to each question, before a gateway whose list of models is asked for. */
  const listOf = async (slug: string, option: string, answer: (at: URL, number: number) => object) => {
    const asked: string[] = [];
    const vendor = await startRawUpstream((incoming, response) => {
      asked.push(incoming.url ?? "");
      const wire = answer(new URL(incoming.url ?? "", "http://vendor"), asked.length);
      const status = "error" in wire || "errors" in wire ? 403 : 200;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(wire));
    });
    const { url } = await startTestGateway(`
plugins:
  auth-open: {}
  routing: {}
  proxy: {}
providers:
  ${slug}: { baseUrl: "${vendor}", apiKey: key-0123456789, ${option} }
`);
    const get = async (query = "") => {
      const answer = await fetch(`${url}/v1/models${query}`, { headers: { "x-gateway-provider": `@${slug}` } });
      const { data, ...rest } = (await answer.json()) as { data?: { id: string }[] } & Record<string, unknown>;
      return { status: answer.status, ids: data?.map(({ id }) => id), error: rest.error, rest };
    };
    return { asked, get };
  };

  const cloudflare = async (answer: (page: number) => object) => {
    const asked: string[] = [];
    const { get: list } = await listOf("workers-ai", "account: a1", ({ search, searchParams }) => {
      asked.push(search);
      return { success: true, ...answer(Number(searchParams.get("page") ?? 1)) };
    });
    return { asked, list };
  };
  const models = (...names: readonly string[]) => names.map((name) => ({ id: `uuid-${name}`, name }));

  it("is all of the pages of Workers AI", async () => {
    const pages = [["a", "b"], ["c", "d"], ["e"]];
    const info = { per_page: 2, total_count: 5 };
    const { asked, list } = await cloudflare((page) => ({
      result: models(...(pages[page - 1] ?? [])),
      result_info: { ...info, page },
    }));
    expect(await list("?task=t")).toMatchObject({ status: 200, ids: ["a", "b", "c", "d", "e"] });
    expect(asked).toEqual(["?task=t", "?task=t&page=2", "?task=t&page=3"]);
    expect(await list("?page=2&per_page=2")).toMatchObject({ ids: ["c", "d"] });
    expect(asked.slice(3)).toEqual(["?page=2&per_page=2"]);
  });

  it.each<[string, (page: number) => object, number]>([
    ["says nothing of pages", () => ({ result: models("a") }), 1],
    ["has said all", () => ({ result: models("a"), result_info: { per_page: 1, total_count: 1 } }), 1],
    ["says no total and is not full", () => ({ result: models("a"), result_info: { per_page: 2 } }), 1],
    ["begins again", () => ({ result: models("a"), result_info: { per_page: 1, total_count: 9 } }), 2],
    ["is empty", (page) => ({ result: page > 1 ? [] : models("a"), result_info: { total_count: 9 } }), 2],
    ["is the fiftieth", (page) => ({ result: models(`m${page}`), result_info: { per_page: 1 } }), 50],
  ])("ends with a page that %s", async (_, answer, pages) => {
    const { asked, list } = await cloudflare(answer);
    expect((await list("")).ids).toHaveLength(pages === 50 ? 50 : 1);
    expect(asked).toHaveLength(pages);
  });

  it("is none where a page is refused", async () => {
    const full = { result: models("a"), result_info: { per_page: 1, total_count: 2 } };
    const { list } = await cloudflare((page) => (page === 1 ? full : { errors: [{ code: 7, message: "No." }] }));
    expect(await list("")).toMatchObject({
      status: 403,
      ids: undefined,
      error: { message: expect.stringContaining("No.") },
    });
  });

  describe.each([
    {
      slug: "google",
      path: "/v1beta/models",
      list: "models",
      first: "pageSize=1000",
      following: (at: string) => `pageToken=${at}`,
      more: (at: string) => ({ nextPageToken: at }),
      own: "pageSize=2",
    },
    {
      slug: "cohere",
      path: "/v1/models",
      list: "models",
      first: "page_size=1000",
      following: (at: string) => `page_token=${at}`,
      more: (at: string) => ({ next_page_token: at }),
      own: "page_token=t",
    },
    {
      slug: "anthropic",
      path: "/models",
      list: "data",
      first: "limit=1000",
      following: (at: string) => `after_id=${at}`,
      more: (at: string) => ({ has_more: true, last_id: at }),
      own: "limit=2",
    },
  ])("of $slug", ({ slug, path, list, first, following, more, own }) => {
    const vendorWith = (pages: (number: number) => object) => listOf(slug, "", (_, number) => pages(number));
    const page = (names: readonly string[], at?: string) => ({
      [list]: names.map((name) => ({ id: name, name })),
      ...(at === undefined ? { has_more: false } : more(at)),
    });

    it("is all of its pages, as long as they come", async () => {
      const { asked, get } = await vendorWith((number) => (number === 1 ? page(["a", "b"], "b") : page(["c"])));
      const { ids, rest } = await get("?x=1");
      expect(ids).toEqual(["a", "b", "c"]);
      expect(rest).not.toHaveProperty("nextPageToken");
      expect(rest).toMatchObject({ has_more: false });
      expect(asked).toEqual([`${path}?${first}&x=1`, `${path}?${first}&x=1&${following("b")}`]);
    });

    it("is the page that a client asks for", async () => {
      const { asked, get } = await vendorWith(() => page(["a"], "a"));
      expect(await get(`?${own}`)).toMatchObject({ ids: ["a"] });
      expect(asked).toEqual([`${path}?${own}`]);
    });

    it("ends where it begins again, with what is no list, and after fifty pages", async () => {
      const again = await vendorWith(() => page(["a"], "a"));
      expect((await again.get()).ids).toEqual(["a", "a"]);
      const broken = await vendorWith((number) => (number === 1 ? page(["a"], "a") : {}));
      expect((await broken.get()).ids).toEqual(["a"]);
      const endless = await vendorWith((number) => page([`m${number}`], `m${number}`));
      expect((await endless.get()).ids).toHaveLength(50);
    });

    it("is none where a page is refused", async () => {
      const refused = await vendorWith((number) => (number === 1 ? page(["a"], "a") : { error: { message: "No." } }));
      expect(await refused.get()).toMatchObject({ status: 403, ids: undefined });
    });
  });

  it("stays as it is when it is a refusal", async () => {
    const vendor = await startRawUpstream((_, response) => {
      response.writeHead(403, { "content-type": "application/json" }).end('{"data":[]}');
    });
    const { url } = await startTestGateway(`
plugins:
  auth-open: {}
  routing: {}
  proxy: {}
providers:
  groq: { baseUrl: "${vendor}", apiKey: key-0123456789 }
`);
    const answer = await fetch(`${url}/v1/models`, { headers: { "x-gateway-provider": "@groq" } });
    expect([answer.status, await answer.text()]).toEqual([403, '{"data":[]}']);
  });
});
