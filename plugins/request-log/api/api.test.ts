import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answered, Caller } from "../../../test/support/management.ts";
import { question, type Recording, startRecording } from "../testing.ts";

let recording: Recording;
let writer: Caller;
let stranger: Caller;
beforeAll(async () => {
  recording = await startRecording();
  const { as, admin, workspace } = recording;
  writer = as({ workspace: workspace.id, scopes: ["completions.write", "logs.write"], user: "u" });
  const other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body;
  stranger = as({ workspace: other.uuid });
});
afterAll(() => recording.stop());

const log = (more: object = {}) => ({
  request: {
    url: "https://api.example/v1/chat?key=hidden",
    body: { model: "gpt-4o", messages: [] },
    provider: "openai",
  },
  response: {
    body: { choices: [], usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 } },
    response_time: 250,
  },
  ...more,
});

const refused = log({ metadata: { trace_id: "refused" } });

const ids = ({ body }: Answered): string[] => body.data.map(({ id }: { id: string }) => id);

describe("filters of GET /logs", () => {
  it.each([
    ["ai_model=openai__gpt-4o", 'ai_model: unknown; did you mean "ai_org_model"?'],
    ["virtual_key=a", 'virtual_key: unknown; did you mean "virtual_keys"?'],
    ["time_of_generation_mni=2026-01-01T00:00:00Z", 'did you mean "time_of_generation_min"?'],
    ["colour=red", "colour: unknown; known names: workspace_slug, "],
  ])("refuses %s, which would let everything match, and says what there is", async (query, said) => {
    const { status, body } = await recording.admin("GET", `/logs?${query}`);
    expect(status).toBe(400);
    expect(body.data).toEqual({ message: expect.stringContaining(said), errorCode: "AB01" });
  });

  it("shows a key of the organisation the workspace it names, by either name", async () => {
    const { admin, as, workspace } = recording;
    const elsewhere = (await admin("POST", "/admin/workspaces", { name: "Elsewhere" })).body;
    await as({ workspace: elsewhere.uuid, scopes: ["completions.write", "logs.write"] })("POST", "/logs", log());
    const count = async (query: string) => (await admin("GET", `/logs?${query}`)).body.total;
    for (const name of [elsewhere.uuid, elsewhere.slug]) expect(await count(`workspace_id=${name}&pretty`)).toBe(1);
    expect(await count(`workspace_slug=${elsewhere.slug}`)).toBe(1);
    expect((await admin("GET", "/logs?workspace_id=nowhere")).status).toBe(404);
    expect(await count(`workspace_id=${workspace.id}`)).not.toBe(await count(""));
  });
});

describe("POST /logs", () => {
  it("takes in one log, with what its bodies say", async () => {
    const made = await writer(
      "POST",
      "/logs",
      log({
        metadata: {
          traceId: "t-1",
          span_id: "s-1",
          parentSpanId: "p-1",
          spanName: "n",
          user: "x",
          organization: "org",
          plan: "pro",
          n: 5,
        },
      }),
      { "x-gateway-virtual-key": "my-key" },
    );
    expect(made).toMatchObject({ status: 200, body: { status: "success", ids: [expect.any(String)] } });
    const { body } = await writer("GET", `/logs/${made.body.ids[0]}`);
    expect(body.metrics).toMatchObject({
      source: "custom_log",
      organisation_name: "Organisation",
      workspace_slug: recording.workspace.slug,
      user_id: "u",
      ai_org: "openai",
      ai_model: "gpt-4o",
      req_units: 7,
      res_units: 5,
      total_units: 12,
      cost: null,
      request_method: "POST",
      request_url: "https://api.example/v1/chat",
      response_status_code: 200,
      response_time: 250,
      virtual_key: "my-key",
      trace_id: "t-1",
      span_id: "s-1",
      parent_span_id: "p-1",
      span_name: "n",
      _user: "x",
      _organisation: "org",
      "metadata.key": ["plan", "n"],
      "metadata.value": ["pro", "5"],
    });
    expect(body).toMatchObject({ request: { body: log().request.body }, response: { body: log().response.body } });
  });

  it.each<[string, object, object]>([
    [
      "in the format of messages",
      { usage: { input_tokens: 3, output_tokens: 4 }, model: "claude" },
      { req_units: 3, res_units: 4, ai_model: "claude" },
    ],
    ["that nobody can read", { answer: 42 }, { total_units: null, ai_model: "gpt-4o" }],
  ])("counts an answer %s", async (_, body, wanted) => {
    const {
      ids: [id],
    } = (await writer("POST", "/logs", log({ response: { body, status: 201, streamingMode: true, time: 9 } }))).body;
    const { metrics } = (await writer("GET", `/logs/${id}`)).body;
    expect(metrics).toMatchObject({
      response_status_code: 201,
      is_success: true,
      stream_mode: 1,
      response_time: 9,
      ...wanted,
    });
  });

  it("takes in a list, in its order, and masks what is secret", async () => {
    const secret = { authorization: "Bearer sk-0123456789abcdef", "X-Plain": "kept" };
    const entries = ["a", "b"].map((name) => log({ request: { ...log().request, headers: secret, body: { name } } }));
    const { body } = await writer("POST", "/logs", entries);
    expect(body.ids).toHaveLength(2);
    for (const [at, name] of ["a", "b"].entries()) {
      const shown = (await writer("GET", `/logs/${body.ids[at]}`)).body;
      expect(shown.request).toMatchObject({
        body: { name },
        headers: { authorization: "Be********def", "x-plain": "kept" },
      });
    }
  });

  it("keeps as little of them as the caller and its organisation want", async () => {
    const kept = async (more: object, headers: Record<string, string> = {}) => {
      const [id] = (await writer("POST", "/logs", log(more), headers)).body.ids;
      const { request, response } = (await writer("GET", `/logs/${id}`)).body;
      return [request.body !== undefined, response.body !== undefined];
    };
    const failed = { response: { status: 500, body: { error: "why" } } };
    const quiet = { "x-gateway-debug": "false" };
    expect(await kept({})).toEqual([true, true]);
    expect(await kept({}, quiet)).toEqual([false, false]);
    expect(await kept(failed, quiet)).toEqual([false, true]);
    const decide = (mode: string) =>
      recording.admin("PUT", "/admin/organisation", { settings: { request_logging: { mode } } });
    await decide("metrics_only");
    expect(await kept({})).toEqual([false, false]);
    await decide("full");
  });

  it.each<[string, unknown, string]>([
    ["nothing", {}, "request"],
    ["no URL", log({ request: { body: {} } }), "request.url"],
    ["no body", log({ request: { url: "u" } }), "request.body"],
    ["a body that is no object", log({ response: { body: "x" } }), "response.body"],
    ["a status that is none", log({ response: { body: {}, status: 9 } }), "response.status"],
    ["a method that is none", log({ request: { url: "u", body: {}, method: "G E T" } }), "request.method"],
    ["metadata that is nested", log({ metadata: { a: {} } }), "metadata.a"],
    ["one of several that is wrong", [refused, refused, log({ response: {} })], "[2].response.body"],
    ["an empty list", [], "body"],
    ["too many", Array.from({ length: 1001 }, () => refused), "body"],
  ])("refuses %s, says where, and keeps nothing of it", async (_, body, param) => {
    const refused = await writer("POST", "/logs", body);
    expect(refused).toMatchObject({ status: 400, body: { data: { errorCode: "AB01" }, error: { param } } });
    expect((await recording.admin("GET", "/logs?trace_id=refused")).body.total).toBe(0);
  });

  it.each([
    ["without logs.write", { scopes: ["completions.write"] }],
    ["without completions.write", { scopes: ["logs.write"] }],
    ["with a key of the organisation", { workspace: undefined as never, scopes: ["logs.write", "completions.write"] }],
  ])("refuses a caller %s", async (_, principal) => {
    const caller = recording.as({ workspace: recording.workspace.id, ...principal });
    expect(await caller("POST", "/logs", log())).toMatchObject({ status: 403, body: { error: { code: "AB03" } } });
  });
});

describe("GET /logs/{id}", () => {
  it("shows a log to its own workspace and to its organisation, and to nobody else", async () => {
    const { id } = await recording.ask();
    await recording.record(id);
    const own = recording.as({ workspace: recording.workspace.id });
    const elsewhere = recording.as({ organisation: "22222222-2222-4222-8222-222222222222" });
    expect((await own("GET", `/logs/${id}`)).status).toBe(200);
    for (const caller of [stranger, elsewhere])
      expect(await caller("GET", `/logs/${id}`)).toMatchObject({ status: 404, body: { error: { code: "AB08" } } });
    expect((await own("GET", "/logs/none")).status).toBe(404);
  });

  it.each([
    [["logs.view"], 200],
    [["logs.read"], 200],
    [["completions.write"], 200],
    [["logs.write"], 200],
    [["logs.list"], 403],
    [[], 403],
  ])("asks for one of its scopes: %j gives %i", async (scopes, status) => {
    const { id } = await recording.ask();
    await recording.record(id);
    const caller = recording.as({ workspace: recording.workspace.id, scopes });
    expect((await caller("GET", `/logs/${id}`)).status).toBe(status);
  });
});

describe("GET /logs", () => {
  const own = () => recording.as({ workspace: recording.workspace.id });
  let asked: string[];
  beforeAll(async () => {
    asked = [];
    for (const [model, headers] of [
      ["one", { "x-gateway-metadata": '{"plan":"pro","tier":"1"}' }],
      ["two", { "x-gateway-span-id": "span-two" }],
      ["fault-status-500", {}],
    ] as const) {
      const trace = { "x-gateway-trace-id": `listed-${model}` };
      const { id } = await recording.ask({ ...question, model }, { headers: { ...trace, ...headers } });
      await recording.record(id);
      asked.push(id);
    }
    await recording.admin("GET", "/logs");
  });
  const traces = "trace_id=listed-one,listed-two,listed-fault-status-500";
  const found = async (query: string) =>
    ids(await own()("GET", `/logs?${traces}&${query}`)).map((id) => asked.indexOf(id));

  it.each<[string, number[]]>([
    ["", [2, 1, 0]],
    ["status_code=500,502", [2]],
    ["total_units_min=1", [1, 0]],
    ["total_units_max=11", []],
    ["prompt_token_min=4&prompt_token_max=4", [1, 0]],
    ["completion_token_min=9", []],
    ["cost_min=0", []],
    ["cost_max=7e-7", []],
    ["total_units_min=1E%2B0", [1, 0]],
    ["virtual_keys=simulator,other", [2, 1, 0]],
    ["virtual_keys=simulator&virtual_keys=other", [2, 1, 0]],
    ["virtual_keys=other", []],
    ["configs=inline", []],
    ["span_id=span-two", [1]],
    ["ai_org_model=simulator__one,other__two", [0]],
    [`metadata=${encodeURIComponent('{"plan":"pro","tier":"1"}')}`, [0]],
    [`metadata=${encodeURIComponent('{"plan":"pro","tier":"2"}')}`, []],
    ["cache_status=HIT", []],
    ["cache_status=DISABLED", [2, 1, 0]],
    ["weighted_feedback_min=-10", []],
    ["api_key_ids=none", []],
    ["prompt_slug=none", []],
    ["time_of_generation_min=2999-01-01T00:00:00Z", []],
    ["time_of_generation_max=2999-01-01T00:00:00Z", [2, 1, 0]],
    ["workspace_slug=of-a-stranger", [2, 1, 0]],
    ["status_code=&configs=&virtual_keys=,&cache_status=", [2, 1, 0]],
    ["cost_min=&total_units_max=&weighted_feedback_min=&time_of_generation_min=", [2, 1, 0]],
    ["metadata=&ai_org_model=", [2, 1, 0]],
  ])("finds by ?%s", async (query, wanted) => expect(await found(query)).toEqual(wanted));

  it("finds by what was said of a trace", async () => {
    const { body } = await own()("POST", "/feedback", { trace_id: "listed-one", value: 8, weight: 0.5 });
    expect(await found("weighted_feedback_min=4&weighted_feedback_max=4")).toEqual([0]);
    await own()("PUT", `/feedback/${body.feedback_ids[0]}`, { value: -8 });
    expect(await found("weighted_feedback_max=-4")).toEqual([0]);
    expect(await found("weighted_feedback_min=4")).toEqual([]);
  });

  it("comes in pages, by number or by cursor", async () => {
    const { body: first } = await own()("GET", `/logs?${traces}&page_size=2`);
    expect(first).toMatchObject({ object: "list", total: 3, data: [{ id: asked[2] }, { id: asked[1] }] });
    const { body: second } = await own()("GET", `/logs?${traces}&page_size=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ total: 3, data: [{ id: asked[0] }], next_cursor: null });
    expect(await found("page_size=2&current_page=1")).toEqual([0]);
    expect(await found("pageSize=1&currentPage=1")).toEqual([1]);
    expect((await own()("GET", `/logs?${traces}&current_page=9`)).body).toMatchObject({ total: 3, data: [] });
    expect((await own()("GET", "/logs?page_size=9999")).status).toBe(200);
  });

  it("shows a workspace its own only, and the organisation those of one or of all", async () => {
    expect((await stranger("GET", `/logs?${traces}`)).body.total).toBe(0);
    const { admin, workspace } = recording;
    const total = async (query: string) => (await admin("GET", `/logs?${traces}${query}`)).body.total;
    expect(await total("")).toBe(3);
    expect(await total(`&workspace_slug=${workspace.slug}`)).toBe(3);
    expect(await total(`&workspace_slug=${workspace.id}`)).toBe(3);
    expect(await total("&workspace_slug=ws-none")).toBe(0);
  });

  it.each([
    ["page_size=0", "page_size"],
    ["current_page=-1", "current_page"],
    ["total_units_min=-1", "total_units_min"],
    ["total_units_max=1.5", "total_units_max"],
    ["cost_min=cheap", "cost_min"],
    ["cost_min=7e", "cost_min"],
    ["cost_min=7e999", "cost_min"],
    ["cost_max=-1", "cost_max"],
    ["status_code=abc", "status_code"],
    ["status_code=42", "status_code"],
    ["weighted_feedback_min=11", "weighted_feedback_min"],
    ["time_of_generation_min=yesterday", "time_of_generation_min"],
    ["metadata=plan", "metadata"],
    ["metadata=[1]", "metadata"],
    ["ai_org_model=gpt-4o", "ai_org_model"],
    [`ai_org_model=${Array(101).fill("a__b").join()}`, "ai_org_model"],
    [`trace_id=${Array(1001).fill("a").join()}`, "trace_id"],
    [
      `metadata=${JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, ""])))}`,
      "metadata",
    ],
    ["cursor=broken", "cursor"],
  ])("refuses ?%s", async (query, param) => {
    const refused = await own()("GET", `/logs?${query}`);
    expect(refused).toMatchObject({ status: 400, body: { data: { errorCode: "AB01" } } });
    expect(refused.body.error.param).toContain(param);
  });

  it("asks for its scope", async () => {
    const caller = recording.as({ workspace: recording.workspace.id, scopes: ["logs.view"] });
    expect((await caller("GET", "/logs")).status).toBe(403);
  });
});

describe("a person", () => {
  let user: string;
  let own: string;
  let others: string;
  const decide = (security_settings: object) =>
    recording.admin("PUT", "/admin/organisation", { settings: { security_settings } });

  beforeAll(async () => {
    const { admin, workspace, ask, record } = recording;
    const workspaces = [{ id: workspace.slug, role: "member" }];
    const invited = await admin("POST", "/admin/users/invites", {
      email: "kim@example.org",
      role: "member",
      workspaces,
    });
    const token = invited.body.invite_link.split("/invites/")[1];
    user = (await admin("POST", `/admin/users/invites/${invited.body.id}/accept`, { token })).body.user_id;
    const headers = { "x-gateway-trace-id": "of-people" };
    own = (await ask(undefined, { as: { user }, headers })).id;
    others = (await ask(undefined, { headers })).id;
    for (const id of [own, others]) await record(id);
  });

  it.each<[string, object, { list: number | string[]; own: object; others: number }]>([
    ["sees what their workspace does", {}, { list: ["others", "own"], own: { content: true }, others: 200 }],
    [
      "sees rows where content is not for them",
      { membersViewLogs: false },
      { list: ["others", "own"], own: { content: false }, others: 200 },
    ],
    [
      "sees their own only, where that is decided",
      { membersViewAllData: false },
      { list: ["own"], own: { content: true }, others: 404 },
    ],
    [
      "sees nothing, where that is",
      { membersViewLogs: false, membersViewLogMetadata: false },
      { list: 403, own: { status: 403 }, others: 403 },
    ],
  ])("%s", async (_, settings, wanted) => {
    const all = { membersViewLogs: true, membersViewLogMetadata: true, membersViewAllData: true };
    expect((await decide({ ...all, ...settings })).status).toBe(200);
    const kim = recording.as({ workspace: recording.workspace.id, user });
    const listed = await kim("GET", "/logs?trace_id=of-people");
    const names = listed.status === 200 ? ids(listed).map((id) => (id === own ? "own" : "others")) : listed.status;
    const shown = await kim("GET", `/logs/${own}`);
    const { status } = await kim("GET", `/logs/${others}`);
    expect({ list: names, others: status }).toEqual({ list: wanted.list, others: wanted.others });
    if ("status" in wanted.own) expect(shown.status).toBe(403);
    else expect({ content: shown.body.request.body !== undefined }).toEqual(wanted.own);
    await decide(all);
  });
});
