import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openManagement, type TestManagement } from "../support/management.ts";

let management: TestManagement;

beforeAll(async () => {
  management = await openManagement({ configs: {}, routing: {}, "format-openai-chat": {}, proxy: {} });
});
afterAll(() => management.close());

describe("the management API", () => {
  it("answers HEAD as GET, without the body", async () => {
    const { admin } = management;
    const read = await admin("GET", "/admin/workspaces");
    const head = await admin("HEAD", "/admin/workspaces");
    expect({ status: head.status, length: head.headers.get("content-length"), body: head.body }).toEqual({
      status: 200,
      length: read.headers.get("content-length"),
      body: undefined,
    });
    expect((await admin("HEAD", "/admin/workspaces/nobody")).status).toBe(404);
    expect((await management.as({ scopes: [] })("HEAD", "/admin/workspaces")).status).toBe(403);
  });

  it("reads a body whose type is not said as JSON", async () => {
    const { url } = management.gateway;
    const principal = JSON.stringify({ id: "tester", organisation: management.organisation });
    const post = (body: string) =>
      fetch(`${url}/v1/admin/workspaces`, {
        method: "POST",
        headers: { "x-test-principal": principal },
        body: new TextEncoder().encode(body),
      });
    const made = await post('{"name":"Of no type"}');
    expect([made.status, await made.json()]).toMatchObject([200, { name: "Of no type" }]);
    expect((await post("{name")).status).toBe(400);
  });

  it("says of every answer that it is JSON in UTF-8, of errors too", async () => {
    const { admin, as } = management;
    for (const { status, headers } of [
      await admin("GET", "/admin/workspaces"),
      await admin("GET", "/admin/workspaces/nobody"),
      await as({ scopes: [] })("GET", "/admin/workspaces"),
      await admin("POST", "/admin/workspaces", "{name"),
    ])
      expect([status, headers.get("content-type")]).toEqual([status, "application/json; charset=utf-8"]);
  });

  it("asks for the type of bodies that are there, and of no others", async () => {
    const { admin } = management;
    const empty = { "content-type": "application/x-www-form-urlencoded" };
    expect((await admin("GET", "/admin/workspaces", undefined, empty)).status).toBe(200);
    expect((await admin("DELETE", "/admin/workspaces/nobody", undefined, empty)).status).toBe(404);
    expect((await admin("POST", "/admin/workspaces", "", empty)).body.error.param).toBe("name");
    for (const type of ["application/x-www-form-urlencoded", "application/json-patch+json", "application/jsonx"])
      expect(await admin("POST", "/admin/workspaces", '{"name":"Typed"}', { "content-type": type })).toMatchObject({
        status: 400,
        body: { error: { code: "AB01", param: "content-type" } },
      });
  });

  it.each(["99999999999999999999", "9007199254740991", "1e3", "-1"])("has no page %s, and says so", async (number) => {
    const page = (query: string) => management.admin("GET", `/admin/workspaces?${query}`);
    const known = /^\d+$/.test(number);
    const [behind, large] = [await page(`current_page=${number}`), await page(`page_size=${number}`)];
    expect([behind.status, large.status]).toEqual(known ? [200, 200] : [400, 400]);
    if (!known) return;
    expect(behind.body).toEqual({ object: "list", total: large.body.total, data: [] });
    expect(large.body.data).toHaveLength(large.body.total);
  });

  it("takes the id of a request from its caller, and has no traces", async () => {
    const { admin } = management;
    const id = "0B8B5A0E-7D0F-4A0C-9B41-5F3D7FB1A2C6";
    const mine = await admin("GET", "/admin/workspaces", undefined, { "x-gateway-request-id": id });
    expect(mine.headers.get("x-gateway-request-id")).toBe(id.toLowerCase());
    const refused = await admin("GET", "/admin/workspaces/nobody", undefined, { "x-gateway-request-id": id });
    expect(refused.headers.get("x-gateway-request-id")).toBe(id.toLowerCase());
    const other = await admin("GET", "/admin/workspaces", undefined, { "x-gateway-request-id": "mine" });
    expect(other.headers.get("x-gateway-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    for (const { headers } of [mine, refused, other]) expect(headers.get("x-gateway-trace-id")).toBeNull();
  });

  it("leaves the ids of other requests to the gateway", async () => {
    const { url } = management.gateway;
    const id = "0b8b5a0e-7d0f-4a0c-9b41-5f3d7fb1a2c6";
    const answered = await fetch(`${url}/v1/models`, { headers: { "x-gateway-request-id": id } });
    expect(answered.headers.get("x-gateway-request-id")).not.toBe(id);
    expect(answered.headers.get("x-gateway-trace-id")).not.toBeNull();
  });

  it("answers paths that cannot be read in the gateway's own words", async () => {
    const answered = await fetch(`${management.gateway.url}/v1/admin/workspaces/%zz`);
    expect(answered.status).toBe(400);
    expect(answered.headers.get("x-gateway-request-id")).not.toBeNull();
    expect(await answered.json()).toMatchObject({ status: "failure", error: { type: "invalid_request_error" } });
  });

  it.each<[object, string]>([
    [{}, "config: Invalid input: expected object or string, received undefined"],
    [{ config: 7 }, "config: Invalid input: expected object or string, received number"],
    [{ config: "{" }, "config: must be an object, or the JSON of one as text"],
    [{ config: {}, isDefault: 2 }, "isDefault: Invalid input: expected 0 or 1"],
  ])("says of %j what may stand there", async (body, message) => {
    const given = { name: "x", workspace_id: management.workspace.id, ...body };
    expect((await management.admin("POST", "/configs", given)).body.error.message).toBe(message);
  });

  it.each(["", "a\u0000b", "\ud800", "x".repeat(300)])("has no workspace %j, and says so", async (workspace_id) => {
    const body = { name: "x", workspace_id, config: { provider: "simulator" } };
    expect(await management.admin("POST", "/configs", body)).toMatchObject({
      status: 404,
      body: { error: { code: "AB02", param: "workspace_id" } },
    });
  });

  it("makes a record where its body says, and nowhere else", async () => {
    const { admin, as, workspace } = management;
    const other = (await admin("POST", "/admin/workspaces", { name: "Elsewhere" })).body;
    const body = { name: "Placed", workspace_id: other.slug, config: { provider: "simulator" } };
    const path = `/configs?workspace_id=${workspace.slug}`;
    expect(await as({ workspace: workspace.id })("POST", path, body)).toMatchObject({
      status: 403,
      body: { error: { code: "AB03", param: "workspace_id" } },
    });
    const made = await admin("POST", path, body);
    expect((await admin("GET", `/configs/${made.body.data.slug}`)).body.data.workspace_id).toBe(other.uuid);
  });

  it("answers what is reserved itself, whichever provider could be asked instead", async () => {
    const { admin, as, workspace } = management;
    const own = as({ workspace: workspace.id });
    for (const path of [
      "/agent-integrations",
      "/agent-servers/a/agent-card",
      "/v2/agent-integrations/fetch-agent-card",
    ])
      for (const [caller, method] of [
        [admin, "GET"],
        [own, "POST"],
      ] as const)
        expect(await caller(method, path)).toMatchObject({ status: 404, body: { error: { code: "AB08" } } });
    expect(await own("POST", "/agent/planner")).toMatchObject({ status: 404, body: { error: { code: "AB08" } } });
  });

  it("has probes that may be asked with HEAD", async () => {
    for (const path of ["/", "/v1/health", "/v1/ready"])
      expect((await fetch(management.gateway.url + path, { method: "HEAD" })).status).toBe(200);
  });
});
