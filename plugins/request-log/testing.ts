import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Principal } from "../../core/index.ts";
import { openManagement, type TestManagement, testOrganisation } from "../../test/support/management.ts";

export interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly config?: unknown;
  /** Somebody else; null is nobody. */
  readonly as?: Partial<Principal> | null;
}

export interface Replied {
  readonly status: number;
  readonly text: string;
  /** The id of the request, which is that of its last record. */
  readonly id: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Shown = any;

export interface Recording extends TestManagement {
  /** Asks as somebody of the shared workspace. */
  ask(body?: unknown, asked?: Asked): Promise<Replied>;
  /** The record with this id, as `GET /logs/{id}` shows it, once it is written. */
  record(id: string): Promise<Shown>;
  /** All rows of a trace, oldest first, once there are so many. */
  trace(id: string, count: number): Promise<Shown[]>;
  stop(): Promise<void>;
}

/** What the recording gateway of a test is made of besides the management API. */
const plugins = {
  routing: { default: "simulator" },
  "strategy-fallback": {},
  "strategy-hedge": {},
  "strategy-shadow": {},
  retry: {},
  "cache-memory": {},
  cache: {},
  "format-openai-chat": {},
  "format-openai-completions": {},
  "format-openai-embeddings": {},
  "format-openai-responses": {},
  "format-openai-audio": {},
  "format-anthropic-messages": {},
  proxy: {},
  "logs-file": {},
  feedback: {},
};

/** A gateway that records what the simulator answers; whoever starts it stops it. */
export async function startRecording(
  options: Readonly<Record<string, unknown>> = {},
  more: { readonly plugins?: Readonly<Record<string, unknown>>; readonly providers?: Record<string, unknown> } = {},
): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-log-"));
  const management = await openManagement(
    { ...plugins, "request-log": { batchMilliseconds: 1, ...options }, ...more.plugins },
    {
      folder,
      providers: {
        simulator: {},
        claude: { use: "simulator", formats: ["anthropic-messages"] },
        ...more.providers,
      },
    },
  );
  const { gateway, admin, workspace } = management;
  const shown = async (id: string): Promise<Shown> => {
    const { status, body } = await admin("GET", `/logs/${id}`);
    return status === 200 ? body : undefined;
  };
  return {
    ...management,
    async ask(body = question, { path = "/v1/chat/completions", method = "POST", headers, config, as } = {}) {
      const principal = { id: "caller", name: "team", organisation: testOrganisation, workspace: workspace.id, ...as };
      const response = await fetch(gateway.url + path, {
        method,
        headers: {
          ...(as !== null && { "x-test-principal": JSON.stringify(principal) }),
          ...(config !== undefined && { "x-gateway-config": JSON.stringify(config) }),
          ...(body !== null && !(body instanceof FormData) && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== null && {
          body: typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body),
        }),
      });
      const text = await response.text();
      return { status: response.status, text, id: response.headers.get("x-gateway-request-id") ?? "" };
    },
    record: (id) => once(() => shown(id)),
    trace: (id, count) =>
      once(async () => {
        const rows = (await admin("GET", `/logs?trace_id=${id}`)).body.data as Shown[];
        return rows.length === count ? rows.toReversed() : undefined;
      }),
    async stop() {
      await gateway.shutdown(0, 0);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What there will be; a test that waits in vain ends by its own clock. */
async function once<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const question = { model: "m", messages: [{ role: "user", content: "What is the time?" }] };
