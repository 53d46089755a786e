import { expect, it } from "vitest";
import type { AuditedCall, Exchange } from "../../core/index.ts";
import { noteOfCall } from "./entry.ts";
import { organisation } from "./testing.ts";

it.each<[string, Partial<Exchange>, boolean]>([
  ["was let in", { authenticatedAt: 1, status: 403 }, false],
  ["was not let in, although it is known who asked", { status: 401 }, true],
])("tells of a call that %s", (_, more, outside) => {
  const exchange = { headers: {}, url: "/v1/admin/workspaces", method: "POST", receivedAt: 0, ...more } as Exchange;
  const call: AuditedCall = { exchange, organisation, resource: "workspaces", action: "create", body: undefined };
  expect(noteOfCall(call, undefined)).toMatchObject({ outside, entry: { response_status_code: more.status } });
});
