import { Validator } from "@seriousme/openapi-schema-validator";
import { OpenAPIClientAxios } from "openapi-client-axios";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openManagement, type TestManagement } from "../../test/support/management.ts";

let management: TestManagement;
/** Whoever is connected is a proxy it trusts. */
let behindProxy: TestManagement;

beforeAll(async () => {
  behindProxy = await openManagement({ openapi: {} }, { server: { trustedProxies: ["127.0.0.0/8", "::1"] } });
  management = await openManagement(
    {
      openapi: {},
      deployments: {},
      routing: { default: "simulator" },
      "format-openai-chat": {},
      "format-gemini": {},
      "format-openai-files": {},
      "format-openai-images": {},
      proxy: {},
    },
    { providers: { simulator: {} } },
  );
});
afterAll(() => Promise.all([management.close(), behindProxy.close()]));

const read = async () =>
  (await fetch(`${management.gateway.url}/openapi.json`)).json() as Promise<{
    paths: Record<string, Record<string, { tags: string[]; responses: object }>>;
  }>;

it("is a valid document of what this deployment serves", async () => {
  const document = await read();
  expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  const { paths } = document;
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(["/v1/chat/completions", "/v1/admin/workspaces/{workspaceId}"]),
  );
  expect(Object.keys(paths)).not.toContain("/v1/embeddings");
  expect(Object.keys(paths).filter((path) => path.startsWith("/v2/admin"))).toEqual([]);
  expect(paths["/docs"]?.get?.responses).toMatchObject({ 200: { content: { "text/html": {} } } });
  expect(paths["/v1/deployments"]?.post).toMatchObject({
    description: "Scope: deployments.create.",
    tags: ["deployments"],
  });
});

const forwarded = { "x-forwarded-host": "a.example", "x-forwarded-proto": "https", "x-forwarded-prefix": "/llm" };

it.each<[string, Record<string, string>, string | undefined]>([
  ["as it was asked", {}, undefined],
  ["as a proxy that is trusted says", forwarded, "https://a.example/llm"],
  ["below the document where nobody says by which scheme", { "x-forwarded-host": "a.example" }, "/"],
])("says where this gateway is, %s", async (_, headers, url) => {
  const { gateway } = behindProxy;
  const document = await (await fetch(`${gateway.url}/openapi.json`, { headers })).json();
  expect(document).toMatchObject({ servers: [{ url: url ?? gateway.url }] });
});

it("believes nobody else where this gateway is", async () => {
  const { gateway } = management;
  const document = await (await fetch(`${gateway.url}/openapi.json`, { headers: forwarded })).json();
  expect(document).toMatchObject({ servers: [{ url: gateway.url }] });
});

it("says which calls take a form, which JSON and which nothing", async () => {
  const { paths } = await read();
  const bodies = Object.fromEntries(
    Object.entries(paths).flatMap(([path, { post }]) => {
      const { requestBody } = (post ?? {}) as { requestBody?: { content: object } };
      return post ? [[path, requestBody ? Object.keys(requestBody.content) : []]] : [];
    }),
  );
  const [form, json] = [["multipart/form-data"], ["application/json"]];
  expect(bodies).toMatchObject({
    "/v1/files": form,
    "/v1/images/edits": [...form, ...json],
    "/v1/images/variations": form,
    "/v1/images/generations": json,
    "/v1/chat/completions": json,
    "/v1/batches": json,
    "/v1/batches/{id}/cancel": [],
    "/v1/fine_tuning/jobs": json,
    "/v1/fine_tuning/jobs/{id}/cancel": [],
    "/v1/proxy/{rest}": json,
  });
  expect(paths["/v1/files"]?.get?.tags).toEqual(["files"]);
});

it("is what a client can be made from", async () => {
  const document = await read();
  const api = new OpenAPIClientAxios({ definition: document as never, withServer: { url: management.gateway.url } });
  // biome-ignore lint/suspicious/noExplicitAny: the client's calls are known to the document only
  const client = (await api.getClient()) as any;
  const principal = JSON.stringify({ id: "t", organisation: management.organisation });
  const as = { headers: { "x-test-principal": principal } };
  const made = await client.postDeployments(null, { name: "One", type: "production" }, as);
  expect(made.data).toMatchObject({ slug: expect.stringMatching(/^one-/) });
  expect((await client.getDeploymentsDeploymentId(made.data.id, null, as)).data.name).toBe("One");
  expect((await client.deleteDeploymentsDeploymentId(made.data.id, null, as)).status).toBe(200);
});

it("is a page that runs no code", async () => {
  const response = await fetch(`${management.gateway.url}/docs`);
  const page = await response.text();
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page).toContain("/v1/admin/workspaces/{workspaceId}");
  expect(page).not.toContain("<script");
});
