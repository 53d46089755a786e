import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, openManagement, type TestManagement } from "../../test/support/management.ts";

let management: TestManagement;
let caller: Caller;

beforeAll(async () => {
  management = await openManagement({ feedback: {} });
  caller = management.as({ workspace: management.workspace.id, scopes: ["feedbacks.write"] });
});
afterAll(() => management.close());

it("is kept, one or several, and changed", async () => {
  const one = { trace_id: "case-88213", value: -4, weight: 0.5, metadata: { _user: "u-17" } };
  const made = await caller("POST", "/feedback", one);
  expect(made).toMatchObject({ status: 200, body: { status: "success", feedback_ids: [expect.any(String)] } });
  expect(
    (await caller("POST", "/feedback", [one, { ...one, metadata: '{"_user":"u"}' }])).body.feedback_ids,
  ).toHaveLength(2);
  const [id] = made.body.feedback_ids;
  expect((await caller("PUT", `/feedback/${id}`, { value: 10 })).body.feedback_ids).toEqual([id]);
  const other = (await management.admin("POST", "/admin/workspaces", { name: "Other" })).body.uuid;
  expect((await management.as({ workspace: other })("PUT", `/feedback/${id}`, { value: 1 })).status).toBe(404);
});

it.each<[string, unknown, string]>([
  ["no trace", { value: 1 }, "trace_id"],
  ["a value out of bounds", { trace_id: "t", value: 11 }, "value"],
  ["half a value", { trace_id: "t", value: 1.5 }, "value"],
  ["a weight out of bounds", { trace_id: "t", value: 1, weight: 2 }, "weight"],
  ["metadata that is no object", { trace_id: "t", value: 1, metadata: "[1]" }, "metadata"],
  ["none at all", [], "body"],
  ["more than 100", Array.from({ length: 101 }, () => ({ trace_id: "t", value: 1 })), "body"],
])("is refused with %s, and says so in its own words, too", async (_, body, param) => {
  const refused = await caller("POST", "/feedback", body);
  expect(refused).toMatchObject({ status: 400, body: { status: "failure", error: { code: "AB01", param } } });
});

it("is nothing for a key of the organisation", async () => {
  expect((await management.admin("POST", "/feedback", { trace_id: "t", value: 1 })).status).toBe(403);
});
