import { expect, vi } from "vitest";
import { folderOfFile, startManagement, type TestManagement } from "./management.ts";

/** A key of the store, which can be lost. */
export interface LostKey {
  readonly management: TestManagement;
  readonly key: string;
  readonly id: string;
}

/** A gateway whose callers have keys of the store. Clocks of `setInterval` and of the day are the test's from here on. */
export async function startWithKey(plugins: object, providers: Record<string, unknown>): Promise<LostKey> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"], now: Date.now() });
  const management = await startManagement({ "api-keys": {}, ...plugins }, { folder: folderOfFile(), providers });
  const draft = {
    ...{ name: "talker", workspace_id: management.workspace.slug, scopes: ["completions.write", "logs.view"] },
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const { status, body } = await management.admin("POST", "/api-keys/workspace/service", draft);
  expect(status, JSON.stringify(body)).toBe(200);
  return { management, key: body.key, id: body.id };
}

type Way = (lost: LostKey) => unknown;

/** How a key is lost, and what those who had it are told. */
export const losses: readonly (readonly [string, Way, object])[] = [
  ["deleted", ({ management, id }) => management.admin("DELETE", `/api-keys/${id}`), { code: "invalid_api_key" }],
  ["expired", () => vi.setSystemTime(Date.now() + 3_600_001), { message: expect.stringContaining("expired") }],
  [
    "without the scope any more",
    ({ management, id }) => management.admin("PUT", `/api-keys/${id}`, { scopes: ["logs.view"] }),
    { message: expect.stringContaining("completions.write") },
  ],
];
