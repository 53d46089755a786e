import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { specified } from "../../test/control-plane/operations.ts";
import {
  type Answered,
  openManagement,
  type TestManagement,
  wholeControlPlane,
} from "../../test/support/management.ts";

let management: TestManagement;

beforeAll(async () => {
  management = await openManagement(
    { ...wholeControlPlane, "audit-log": { countryHeader: "cf-ipcountry" } },
    { providers: { simulator: {} } },
  );
});
afterAll(() => management.close());

const others = ["aaaaaaaa", "bbbbbbbb", "dddddddd"].map((first) => `${first}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`);

/** Nobody, as far as the management API knows. */
const stranger: object = { organisation: undefined };

interface Row {
  readonly request_id: string;
  readonly [name: string]: unknown;
}

const hour = 60 * 60 * 1000;
const span = () =>
  `start_time=${new Date(Date.now() - hour).toISOString()}&end_time=${new Date(Date.now() + hour).toISOString()}`;

const list = (query = "", caller = management.admin): Promise<Answered> =>
  caller("GET", `/audit-logs?${span()}${query && `&${query}`}`);

/** The entry of a call: it is kept once the answer has left. */
async function entryOf({ headers }: Answered): Promise<Row> {
  const id = headers.get("x-gateway-request-id");
  const found = async () => {
    const [entry]: Row[] = (await list(`request_id=${id}`)).body.records;
    if (entry) return entry;
    throw new Error("the entry is not there");
  };
  return vi.waitFor(found, 5000);
}

describe("an entry", () => {
  it("is of the workspace whose record it is about, who need not have been named", async () => {
    const { admin, workspace } = management;
    const made = await admin("POST", "/configs", {
      name: "Night",
      workspace_id: workspace.id,
      config: { provider: "simulator" },
    });
    const collection = (await admin("POST", "/collections", { name: "Letters", workspace_id: workspace.slug })).body;
    const text = { name: "Greeting", string: "Hi", parameters: {}, model: "m", virtual_key: "simulator" };
    const prompt = await admin("POST", "/prompts", { ...text, collection_id: collection.id });
    const key = await admin("POST", "/virtual-keys", {
      name: "Ours",
      provider: "openai",
      key: "sk-0123456789abcdef",
      workspace_id: workspace.id,
    });
    const written = [
      prompt,
      await admin("PUT", `/configs/${made.body.data.slug}`, { name: "Day" }),
      await admin("PUT", `/configs/${made.body.data.slug}`, { name: 7 }),
      await admin("PUT", `/prompts/${prompt.body.slug}/makeDefault`, { version: 1 }),
      await admin("PUT", `/virtual-keys/${key.body.data.slug}`, { name: "Theirs" }),
      await admin("DELETE", `/configs/${made.body.data.slug}`),
    ];
    expect(written.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200, 200]);
    for (const one of written) expect((await entryOf(one)).workspace_id).toBe(workspace.slug);
    // To somebody else's credential nothing is told of whose it is.
    const stranger = management.as({ workspace: workspace.id });
    const other = (await admin("POST", "/admin/workspaces", { name: "Apart" })).body;
    const theirs = await admin("POST", "/configs", {
      name: "Theirs",
      workspace_id: other.slug,
      config: { provider: "simulator" },
    });
    const refused = await stranger("DELETE", `/configs/${theirs.body.data.slug}`);
    expect((await entryOf(refused)).workspace_id).toBe(workspace.slug);
  });

  it("says who did what, without secrets", async () => {
    const { workspace, organisation } = management;
    const caller = management.as({ id: "key-1", workspace: workspace.id });
    const body = { name: "Main", ai_provider_id: "openai", key: "sk-0123456789-very-secret", note: "kept" };
    const made = await caller("POST", "/integrations?dry=no&api_key=abcdefgh-secret-query", body, {
      "cf-ipcountry": "IS",
      authorization: "Bearer another-very-secret-value",
    });
    expect(made.status).toBe(200);
    const entry = await entryOf(made);
    expect(entry).toMatchObject({
      method: "POST",
      uri: "/v1/integrations",
      user_id: "key-1",
      user_type: "api_key",
      organisation_id: organisation,
      workspace_id: workspace.slug,
      response_status_code: 200,
      resource_type: "integrations",
      action: "create",
      client_ip: "127.0.0.1",
      country: "IS",
      details: "{}",
    });
    expect(JSON.parse(String(entry.request_body))).toEqual({ ...body, key: "sk*******et" });
    expect(JSON.parse(String(entry.query_params))).toEqual({ dry: "no", api_key: "ab*******ry" });
    expect(JSON.stringify(entry)).not.toMatch(/very-secret|secret-query/);
    expect(Date.parse(String(entry.timestamp))).toBeGreaterThan(Date.now() - hour);
  });

  it.each<[string, () => Promise<Answered>, object]>([
    [
      "a call without the scope",
      () => management.as({ scopes: ["configs.read"], user: "iris" })("POST", "/admin/workspaces", { name: "x" }),
      { response_status_code: 403, user_id: "iris", user_type: "user", resource_type: "workspaces" },
    ],
    [
      "a call with a key of the wrong kind",
      () => management.as({ workspace: management.workspace.id })("POST", "/admin/users/invites", {}),
      { response_status_code: 403, action: "create", workspace_id: "ws-first-" },
    ],
    [
      "a body that is no JSON",
      () => management.admin("POST", "/configs", '{"key": "a secret'),
      { response_status_code: 400, request_body: "{}" },
    ],
    ["an unknown record", () => management.admin("PUT", "/configs/pc-none", {}), { response_status_code: 403 }],
    [
      "an unknown workspace",
      () => management.admin("POST", "/configs", { name: "x", workspace_id: "ws-nowhere", config: {} }),
      { response_status_code: 404, workspace_id: "ws-nowhere" },
    ],
  ])("is there for %s", async (_, call, expected) => {
    const entry = await entryOf(await call());
    const workspace = String(entry.workspace_id).replace(/^(ws-first-).*/, "$1");
    expect({ ...entry, workspace_id: workspace }).toMatchObject(expected);
  });

  it("is not there for reads, nor for whom nobody knows", async () => {
    const read = await management.admin("GET", "/configs");
    const refused = await management.as({ ...stranger })("POST", "/configs", {});
    await entryOf(await management.admin("POST", "/configs", {}));
    for (const { headers } of [read, refused])
      expect((await list(`request_id=${headers.get("x-gateway-request-id")}`)).body.total).toBe(0);
  });

  it("is there for who accepts an invite, which takes no key", async () => {
    const invite = { email: "lee@example.org", role: "member", workspaces: [] };
    const { id, invite_link } = (await management.admin("POST", "/admin/users/invites", invite)).body;
    const token: string = invite_link.split("/invites/")[1];
    const wrong = await management.admin("POST", `/admin/users/invites/${id}/accept`, { token: `${token}x` });
    expect(wrong.status).toBe(401);
    const accepted = await management.as({ ...stranger })("POST", `/admin/users/invites/${id}/accept`, {
      token,
    });
    const entry = await entryOf(accepted);
    expect(entry).toMatchObject({ resource_type: "invites", response_status_code: 200, user_id: "" });
    expect(JSON.stringify(entry)).not.toContain(token);
  });

  /** Calls of prompts are requests, and logs tell of some: no writes. */
  const writes = specified.filter(
    ({ method, path }) => method !== "GET" && !/\/(?:render|completions|accept|logs)$/.test(path),
  );

  it("is there for every write there is", async () => {
    const called: string[] = [];
    for (const { method, path } of writes) {
      const ofWorkspace = /^\/(?:logs|feedback)/.test(path) && { workspace: management.workspace.id };
      const filled = path
        .replace("{type}", "workspace")
        .replace("{sub-type}", "service")
        .replace(/\{[\w-]+\}/g, "99999999-9999-4999-8999-999999999999");
      await management.as({ ...ofWorkspace, id: "everything" })(method, filled, method === "DELETE" ? undefined : {});
      called.push(`${method} /v1${filled}`);
    }
    const kept = async () => {
      const { body } = await list("user_id=everything&page_size=100");
      expect(body.total).toBe(called.length);
      return (body.records as Row[]).map(({ method, uri }) => `${method} ${uri}`).reverse();
    };
    expect(await vi.waitFor(kept, 5000)).toEqual(called);
  });
});

describe("GET /audit-logs", () => {
  const own = "cccccccc-cccc-4ccc-8ccc-cccccccccccc";

  beforeAll(async () => {
    const caller = management.as({ organisation: own });
    const first = await caller("POST", "/admin/workspaces", { name: "Audited" });
    for (const name of ["a", "b"])
      await management.as({ organisation: own, user: name, workspace: first.body.uuid })("POST", "/configs", { name });
    await caller("DELETE", "/configs/pc-none");
    await vi.waitFor(async () => expect((await list("", caller)).body.total).toBe(4), 5000);
  });

  const of = (query: string) => list(query, management.as({ organisation: own, scopes: ["audit_logs.list"] }));

  it.each([
    ["", 4],
    ["method=DELETE", 1],
    ["uri=/v1/con", 3],
    ["user_id=a", 1],
    ["user_type=user", 2],
    ["user_type=user&user_id=b&action=create", 1],
    ["workspace_id=WORKSPACE", 2],
    ["workspace_id=UUID", 2],
    ["workspace_id=ws-none", 0],
    ["resource_type=configs", 3],
    ["response_status_code=200", 1],
    ["action=delete", 1],
    ["client_ip=127.0.0.1", 4],
    ["client_ip=10.0.0.1", 0],
    ["country=IS", 0],
    ["method=&user_id=&user_type=&workspace_id=&response_status_code=&action=&client_ip=", 4],
    [`organisation_id=${own}`, 4],
    ["start_time=2020-01-01&end_time=2021-01-01", 0],
  ])("finds with %s so many: %i", async (query, total) => {
    const { slug, uuid } = (await management.as({ organisation: own })("GET", "/admin/workspaces")).body.data[0];
    const named = query.replace("WORKSPACE", slug).replace("UUID", uuid);
    const times = query.includes("start_time") ? "" : `${span()}&`;
    const { status, body } = await management.as({ organisation: own })("GET", `/audit-logs?${times}${named}`);
    expect({ status, total: body.total, object: body.object }).toEqual({
      status: 200,
      total,
      object: "analytics-graph",
    });
    expect(body.records).toHaveLength(total);
  });

  it.each([
    ["page_size=3", 3],
    ["page_size=3&current_page=1", 1],
    ["page_size=3&current_page=2", 0],
    ["pageSize=0", 4],
    ["page_size=1000", 4],
  ])("pages with %s: %i", async (query, length) => {
    const { body } = await of(query);
    expect({ total: body.total, length: body.records.length }).toEqual({ total: 4, length });
  });

  it("lists the newest first, numbered", async () => {
    expect((await of("")).body.records.map((row: Row) => row.sequence)).toEqual([4, 3, 2, 1]);
  });

  it.each<[string, string, number, string]>([
    ["no start", "end_time=2026-01-01", 400, "start_time"],
    ["no end", "start_time=2026-01-01", 400, "end_time"],
    ["a time that is none", "start_time=soon&end_time=2026-01-01", 400, "start_time"],
    ["an end before the start", "start_time=2026-01-02&end_time=2026-01-01", 400, "end_time"],
    ["another method", "start_time=2026-01-01&end_time=2026-01-02&method=GET", 400, "method"],
    [
      "a status that is none",
      "start_time=2026-01-01&end_time=2026-01-02&response_status_code=ok",
      400,
      "response_status_code",
    ],
    ["another type of user", "start_time=2026-01-01&end_time=2026-01-02&user_type=robot", 400, "user_type"],
    ["a page below 0", "start_time=2026-01-01&end_time=2026-01-02&current_page=-1", 400, "current_page"],
    ["another organisation", "start_time=2026-01-01&end_time=2026-01-02&organisation_id=other", 403, "organisation_id"],
  ])("refuses %s", async (_, query, status, param) => {
    expect(await management.admin("GET", `/audit-logs?${query}`)).toMatchObject({ status, body: { error: { param } } });
  });

  it.each<[string, object, number, string]>([
    ["without the scope", { scopes: ["configs.list"] }, 403, "AB03"],
    ["with a key of a workspace", { workspace: "its" }, 403, "AB03"],
    ["without an organisation", stranger, 401, "AB05"],
  ])("refuses callers %s", async (_, principal, status, code) => {
    const its = "workspace" in principal && { workspace: management.workspace.id };
    expect(await list("", management.as({ ...principal, ...its }))).toMatchObject({
      status,
      body: { error: { code } },
    });
  });

  it("shows an organisation its own entries, and no other's, whoever calls in which order", async () => {
    const run = { number: 0 };
    const who = fc.record({ organisation: fc.constantFrom(...others), ofWorkspace: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(who, { minLength: 1, maxLength: 8 }), async (calls) => {
        const prefix = `/configs/run-${++run.number}-`;
        const made = new Map<string, string[]>(others.map((one) => [one, []]));
        for (const [at, { organisation, ofWorkspace }] of calls.entries()) {
          // A workspace of somebody else is none of theirs, and the call is refused: it is theirs all the same.
          const workspace = ofWorkspace && { workspace: management.workspace.id };
          await management.as({ organisation, ...workspace })("DELETE", `${prefix}${at}`);
          made.get(organisation)?.push(`/v1${prefix}${at}`);
        }
        for (const [organisation, expected] of made)
          await vi.waitFor(async () => {
            const { records } = (await list(`uri=/v1${prefix}`, management.as({ organisation }))).body;
            expect(records.map(({ uri }: Row) => uri).reverse()).toEqual(expected);
            for (const row of records) expect(row.organisation_id).toBe(organisation);
          }, 5000);
      }),
      { numRuns: 15 },
    );
  });
});
