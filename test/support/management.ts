import { relative } from "node:path";
import { onTestFinished } from "vitest";
import type { Principal } from "../../core/index.ts";
import { folderOfFile } from "./folder-of-file.ts";

export { folderOfFile } from "./folder-of-file.ts";

import { startFreeGateway, type TestGateway } from "./gateway.ts";

/** An answer of the management API. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export type Caller = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answered>;

export interface TestManagement {
  readonly gateway: TestGateway;
  /** The folder of its config file, with its records. */
  readonly folder: string;
  /** A key of the organisation with every scope. */
  readonly admin: Caller;
  /** The organisation's id. */
  readonly organisation: string;
  /** Its shared workspace. */
  readonly workspace: { readonly id: string; readonly slug: string };
  /** Calls as somebody else: with another organisation, a workspace, some scopes. */
  as(principal: Partial<Principal>): Caller;
  close(): Promise<void>;
}

/** The organisation tests call for: `home` of the installation is not it, unless a test asks for that. */
export const testOrganisation = "11111111-1111-4111-8111-111111111111";

/** A plugin of this folder, as a config file in another one names it. */
export const supportPlugin = (folder: string, name: string) => ({
  use: relative(folder, new URL(`${name}.ts`, import.meta.url).pathname),
});

/** The same for one test: it ends with it. */
export async function startManagement(...given: Parameters<typeof openManagement>): Promise<TestManagement> {
  const management = await openManagement(...given);
  onTestFinished(management.close);
  return management;
}

/**
 * Starts a gateway with the management API on a file of records, and plugins of the test's choice with their options.
 * Callers are who they say they are (`principal.ts`). Whoever opens it closes it: `afterAll`.
 */
export async function openManagement(
  plugins: Record<string, unknown> = {},
  more: {
    readonly folder?: string;
    readonly providers?: Record<string, unknown>;
    readonly variables?: Record<string, string>;
    readonly server?: Record<string, unknown>;
  } = {},
): Promise<TestManagement> {
  const folder = more.folder ?? folderOfFile();
  const gateway = await startFreeGateway(
    JSON.stringify({
      server: more.server ?? {},
      plugins: {
        principal: supportPlugin(folder, "principal"),
        "records-file": {},
        management: { requestsPerMinute: 0 },
        organisations: {},
        ...plugins,
      },
      providers: more.providers ?? {},
    }),
    more.variables,
    folder,
  );
  const as =
    (principal: Partial<Principal>): Caller =>
    async (method, path, body, headers = {}) => {
      const response = await fetch(`${gateway.url}${/^\/v\d\//.test(path) ? "" : "/v1"}${path}`, {
        method,
        headers: {
          "x-test-principal": JSON.stringify({ id: "tester", organisation: testOrganisation, ...principal }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
    };
  const admin = as({});
  const made = await admin("POST", "/admin/workspaces", { name: "First" });
  const { uuid: id, slug } = made.body as { uuid: string; slug: string };
  const close = async () => {
    await gateway.shutdown(0, 0);
  };
  return { gateway, folder, admin, as, organisation: testOrganisation, workspace: { id, slug }, close };
}

/** The whole control plane on records whose writes a test may hold up (`gated-records.ts`). Whoever opens it closes it. */
export function openGated(): Promise<TestManagement> {
  const folder = folderOfFile();
  const plugins = { ...wholeControlPlane, "records-file": undefined, gated: supportPlugin(folder, "gated-records") };
  return openManagement(plugins, { folder, providers: { simulator: {} } });
}

/** Invites somebody, and lets them accept; their id. */
export async function newUser(
  admin: Caller,
  workspaces: readonly { readonly id: string; readonly role: string }[],
  role = "member",
): Promise<string> {
  const invite = { email: `${crypto.randomUUID()}@example.org`, role, workspaces };
  const { id, invite_link } = (await admin("POST", "/admin/users/invites", invite)).body;
  const token = invite_link.split("/invites/")[1];
  return (await admin("POST", `/admin/users/invites/${id}/accept`, { token })).body.user_id;
}

/** The options of every plugin that keeps management records. */
export const wholeControlPlane: Record<string, unknown> = {
  routing: { default: "simulator" },
  encryption: { key: "5e".repeat(32) },
  "secret-references": {},
  integrations: {},
  configs: {},
  checks: {},
  "guardrail-records": {},
  "policy-records": {},
  "check-credentials": {},
  deployments: {},
  feedback: {},
  "audit-log": {},
  notifications: {},
  "logs-file": {},
  "request-log": {},
  openapi: {},
  prompts: {},
  "format-openai-chat": {},
  "format-openai-completions": {},
  "api-keys": {},
};
