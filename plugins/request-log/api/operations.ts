import {
  type Exchange,
  type Format,
  GatewayError,
  type LogEntry,
  LogError,
  type LogSight,
  type LogsService,
  type ManagementCall,
  type ManagementService,
  type Principal,
  pageFields,
  pageOf,
  z,
} from "../../../core/index.ts";
import type { CaptureMode } from "../record/capture.ts";
import type { HeaderRedaction } from "../record/headers.ts";
import type { CustomPrices } from "./custom-cost.ts";
import { conditionsOf, logFilters } from "./filters.ts";
import { customEntry, customLogs } from "./insert.ts";
import { shownEntry } from "./shown.ts";

export interface LogApiParts {
  readonly logs: LogsService;
  readonly redaction: HeaderRedaction;
  readonly formats: Pick<ReadonlyMap<string, Format>, "get">;
  /** What requests that went elsewhere cost. */
  readonly pricing: CustomPrices;
  /** Whether what a call brings may be kept with its content. */
  readonly captureFor: (exchange: Exchange) => Promise<CaptureMode>;
  readonly nameOf: (organisation: string) => string | undefined | Promise<string | undefined>;
  /** What somebody sees of the logs their scopes reach. */
  readonly sightOf: (principal: Principal) => Promise<LogSight>;
}

/** Refuses who may not even know that there are logs. */
async function sightOf(call: ManagementCall, { sightOf }: LogApiParts): Promise<LogSight> {
  const sight = await sightOf(call.principal);
  if (sight.rows || sight.content) return sight;
  throw new GatewayError("forbidden", "The organisation shows its logs to other roles only.");
}

/** Bytes of a body with a thousand logs in it. */
const insertBytes = 20 * 1024 * 1024;

const pages = { size: 50, max: 500 };

/** The operations on logs (control-plane.md section 14). */
export function manageLogs(management: ManagementService, parts: LogApiParts): void {
  insert(management, parts);
  read(management, parts);
  list(management, parts);
}

function insert(
  management: ManagementService,
  { logs, redaction, formats, captureFor, nameOf, pricing }: LogApiParts,
): void {
  management.operation({
    method: "POST",
    path: "/logs",
    tag: "logs",
    summary: "Takes in what became of requests that went elsewhere: one, or a list of at most 1000.",
    scopes: ["logs.write"],
    key: "workspace",
    bodyBytes: insertBytes,
    body: customLogs,
    answer: z.object({ status: z.literal("success"), ids: z.array(z.string()) }),
    find: (call) => call.require("completions.write"),
    async run({ exchange, organisation, own, body }) {
      if (!own) throw new GatewayError("forbidden", "Logs belong to a workspace: use an API key of one.");
      const mode = await captureFor(exchange);
      const organisationName = await nameOf(organisation);
      const whose = { exchange, organisation, organisationName, workspace: own };
      const parts = { ...whose, mode, redaction, formats, pricing, now: Date.now() };
      const entries = await Promise.all(body.map((one) => customEntry(one, parts)));
      await logs.append(entries);
      return { status: "success", ids: entries.map(({ row }) => row.id) };
    },
  });
}

function read(management: ManagementService, parts: LogApiParts): void {
  management.operation({
    method: "GET",
    path: "/logs/{logId}",
    tag: "logs",
    summary: "Reads a log with its content.",
    scopes: ["logs.view", "logs.read", "completions.write", "logs.write"],
    answer: z.looseObject({ _id: z.string(), metrics: z.looseObject({ id: z.string() }) }),
    async find(call) {
      const id = call.path.logId ?? "";
      const { content, own } = await sightOf(call, parts);
      const found = await parts.logs.get({ organisation: call.organisation, id });
      const isTheirs = !own || found?.row.user_id === call.principal.user;
      if (found && isTheirs && maySee(call, found.workspace)) return content ? found : withoutContent(found);
      throw new GatewayError("record_unknown", `There is no log "${id}".`);
    },
    run: ({ found }) => shownEntry(found),
  });
}

const withoutContent = ({ workspace, row }: LogEntry): LogEntry => ({ workspace, row });

const maySee = ({ own }: ManagementCall, workspace: string | null): boolean => !own || own.id === workspace;

const listQuery = logFilters.extend({
  ...pageFields(pages),
  cursor: z.string().min(1).optional().describe("`next_cursor` of the page before, instead of a page number."),
  workspace_id: z.string().min(1).optional().describe("Its id or slug, for a key of the organisation."),
});

function list(management: ManagementService, parts: LogApiParts): void {
  const { logs } = parts;
  management.operation({
    method: "GET",
    path: "/logs",
    tag: "logs",
    summary: "Lists what became of requests, newest first.",
    scopes: ["logs.list"],
    query: listQuery,
    answer: z.object({
      object: z.literal("list"),
      total: z.int(),
      data: z.array(z.looseObject({ id: z.string() })),
      next_cursor: z.string().nullable().describe("Null on the last page."),
    }),
    async run(call) {
      const { organisation, own, query, principal } = call;
      const workspace = await call.workspace();
      const sight = await sightOf(call, parts);
      const { time_of_generation_min: from, time_of_generation_max: to, cursor } = query;
      const selection = {
        organisation,
        ...(from !== undefined && { from: Date.parse(from) }),
        ...(to !== undefined && { to: Date.parse(to) }),
        where: [
          // A credential of a workspace sees that one, whichever it asks for.
          ...conditionsOf(own ? { ...query, workspace_slug: undefined } : query),
          ...(workspace ? [{ column: "workspace" as const, in: [workspace.id] }] : []),
          ...(sight.own ? [{ column: "user_id" as const, in: [principal.user ?? ""] }] : []),
        ],
      };
      const { number, size } = pageOf(query, pages);
      const where = cursor === undefined ? { skip: number * size } : { after: cursor };
      const [total, page] = await Promise.all([
        logs.count(selection),
        logs.find({ ...selection, limit: size, ...where }).catch(refuseCursor),
      ]);
      return { object: "list", total, data: page.rows, next_cursor: page.next ?? null };
    },
  });
}

/** Of what a list asks, only its cursor is read by the store alone. */
function refuseCursor(error: unknown): never {
  if (!(error instanceof LogError) || error.reason !== "invalid") throw error;
  const message = "cursor is not the next_cursor of a page of this list: ask without one for the first page.";
  throw new GatewayError("record_invalid", message, { param: "cursor" }, { cause: error });
}
