import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openManagement, type TestManagement, wholeControlPlane } from "../support/management.ts";
import { type SpecifiedOperation, specified } from "./operations.ts";

let management: TestManagement;

beforeAll(async () => {
  management = await openManagement(wholeControlPlane, { providers: { simulator: {} } });
});
afterAll(() => management.close());

const unknown = "99999999-9999-4999-8999-999999999999";

/** A path with its parameters filled in. */
const filled = (path: string): string =>
  path
    .replace("{type}", "workspace")
    .replace("{sub-type}", "service")
    .replace(/\{[\w-]+\}/g, unknown);

const writes = (method: string) => method === "POST" || method === "PUT";

/** Whose key a call needs where it is not the organisation's: everything on the road of a request. */
const ofWorkspace = /^\/(?:logs|feedback)|\/(?:render|completions)$/;

const callerOf = ({ path }: SpecifiedOperation, principal: object = {}) =>
  management.as({ ...(ofWorkspace.test(path) && { workspace: management.workspace.id }), ...principal });

/** Calls of prompts are requests: who has no organisation has no prompts, and what is refused looks as it does there. */
const isRequest = ({ path }: SpecifiedOperation): boolean => /\/(?:render|completions)$/.test(path);

const bodyOf = ({ method }: SpecifiedOperation) => (writes(method) ? {} : undefined);

describe("every operation of the specification", () => {
  it.each(specified)("is there: $method $path", async (operation) => {
    const { method, path } = operation;
    const { status, body } = await callerOf(operation)(method, filled(path), bodyOf(operation));
    expect(body).not.toMatchObject({ message: "Not Found" });
    expect([200, 400, 401, 403, 404]).toContain(status);
    if (status !== 200) expect(body.error.code).toMatch(/^AB0[1-8]$/);
  });
});

describe("without what it takes, nobody gets in", () => {
  const closed = specified.filter((operation) => !operation.path.endsWith("/accept") && !isRequest(operation));

  it.each(closed)("$method $path", async (operation) => {
    const { method, path } = operation;
    const stranger = await callerOf(operation, { organisation: undefined })(method, filled(path), bodyOf(operation));
    expect(stranger).toMatchObject({ status: 401, body: { data: { errorCode: "AB05" } } });
    const powerless = await callerOf(operation, { scopes: ["somebody.else"] })(method, filled(path), bodyOf(operation));
    expect(powerless).toMatchObject({ status: 403, body: { success: false, data: { errorCode: "AB03" } } });
  });
});

describe("what is no JSON is refused, and not quoted", () => {
  it.each(specified.filter((operation) => writes(operation.method) && !isRequest(operation)))(
    "$method $path",
    async (operation) => {
      const { method, path } = operation;
      const { status, body } = await callerOf(operation)(method, filled(path), '{"key": "a secret of somebody');
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: "AB01" });
      expect(body.error.message).toContain("invalid JSON");
      expect(JSON.stringify(body)).not.toContain("secret of");
    },
  );
});
