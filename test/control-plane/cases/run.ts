import { expect } from "vitest";
import { undescribed } from "./applicability.ts";
import { at, textsIn } from "./places.ts";
import type { Row } from "./rows.ts";
import { Stage, type World } from "./stage.ts";
import type { Refusal, Valid } from "./table.ts";

const anotherOrganisation = "22222222-2222-4222-8222-222222222222";

/** Makes what a row needs, calls, and looks at the answer. What is refused changes nothing: `unchanged` does for all of that. */
export async function run(operation: string, row: Row, world: World, unchanged: Stage): Promise<void> {
  const stage = row.refused && !row.twice ? unchanged : new Stage(world);
  const [method = "", template = ""] = operation.split(" ");
  const { path, body, answer } = await prepared(template, row.call, stage);
  const shown = await stage.filled(row.call.shows);
  const call = () => callerOf(row, world)(method, path, body);
  if (row.twice) expect(await call()).toMatchObject({ status: 200 });
  const got = await call();
  if (row.refused) return expectRefusal(row.name, got, row.refused, row.refused.status === 400 ? row.says : {});
  expect(got, JSON.stringify(got.body)).toMatchObject({ status: 200, ...(answer !== undefined && { body: answer }) });
  expect(undescribed(operation, got, world.document), JSON.stringify(got.body)).toEqual([]);
  if (shown === undefined) return;
  const texts = textsIn(got.body).map(([, text]) => text);
  if (row.hides) expect(texts).not.toContain(shown);
  else expect(texts).toContain(shown);
}

async function prepared(template: string, { at: parameters = {}, query = {}, body, answer }: Valid, stage: Stage) {
  // What the path names is made first: the body may be about what is in it.
  const values = await stage.filled(parameters);
  const path = template.replace(/\{([\w-]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? name)));
  const search = new URLSearchParams(await stage.filled(query)).toString();
  const sent = await stage.filled(body);
  return { path: search === "" ? path : `${path}?${search}`, body: sent, answer: await stage.filled(answer) };
}

function callerOf({ who: { key, scopes } }: Row, { as, workspaces }: World) {
  switch (key) {
    case "nobody":
      return as({ organisation: undefined });
    case "another organisation":
      return as({ organisation: anotherOrganisation, scopes });
    case "organisation":
      return as({ scopes });
    case "workspace":
      return as({ scopes, workspace: workspaces.own.uuid });
    case "other workspace":
      return as({ scopes, workspace: workspaces.other.uuid });
  }
}

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "invalid_request_error",
  409: "invalid_request_error",
};

/** The one shape of all refusals (control-plane.md section 1.5). */
function expectRefusal(
  name: string,
  got: { status: number; headers: Headers; body: unknown },
  { status, code, param }: Refusal,
  more: object = {},
): void {
  const told = expect.stringMatching(/./);
  expect({ status: got.status, body: got.body }, `${name}: ${JSON.stringify(got.body)}`).toMatchObject({
    status,
    body: {
      ...more,
      success: false,
      data: { message: told, errorCode: code },
      error: { type: types[status], message: told, code, ...(param && { param }) },
    },
  });
  expect(at(got.body, "data.message")).toBe(at(got.body, "error.message"));
  expect(got.headers.get("x-gateway-request-id")).toMatch(/^[0-9a-f-]{36}$/);
}
