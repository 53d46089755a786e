import {
  type Format,
  GatewayError,
  type LogsService,
  type ManagementCall,
  type ManagementService,
  pageFields,
  pageOf,
  z,
} from "../../../core/index.ts";
import type { HeaderRedaction } from "../record/headers.ts";
import { conditionsOf, logFilters } from "./filters.ts";
import { customEntry, customLogs } from "./insert.ts";
import { shownEntry } from "./shown.ts";

export interface LogApiParts {
  readonly logs: LogsService;
  readonly redaction: HeaderRedaction;
  readonly formats: Pick<ReadonlyMap<string, Format>, "get">;
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

function insert(management: ManagementService, { logs, redaction, formats }: LogApiParts): void {
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
      const parts = { exchange, organisation, workspace: own, redaction, formats, now: Date.now() };
      const entries = body.map((one) => customEntry(one, parts));
      await logs.append(entries);
      return { status: "success", ids: entries.map(({ row }) => row.id) };
    },
  });
}

function read(management: ManagementService, { logs }: LogApiParts): void {
  management.operation({
    method: "GET",
    path: "/logs/{logId}",
    tag: "logs",
    summary: "Reads a log with its content.",
    scopes: ["logs.view", "logs.read", "completions.write", "logs.write"],
    answer: z.looseObject({ _id: z.string(), metrics: z.looseObject({ id: z.string() }) }),
    async find(call) {
      const id = call.path.logId ?? "";
      const found = await logs.get({ organisation: call.organisation, id });
      if (found && maySee(call, found.workspace)) return found;
      throw new GatewayError("record_unknown", `There is no log "${id}".`);
    },
    run: ({ found }) => shownEntry(found),
  });
}

const maySee = ({ own }: ManagementCall, workspace: string | null): boolean => !own || own.id === workspace;

function list(management: ManagementService, { logs }: LogApiParts): void {
  management.operation({
    method: "GET",
    path: "/logs",
    tag: "logs",
    summary: "Lists what became of requests, newest first.",
    scopes: ["logs.list"],
    query: logFilters.extend({
      ...pageFields(pages),
      cursor: z.string().min(1).optional().describe("`next_cursor` of the page before, instead of a page number."),
    }),
    answer: z.object({
      object: z.literal("list"),
      total: z.int(),
      data: z.array(z.looseObject({ id: z.string() })),
      next_cursor: z.string().nullable().describe("Null on the last page."),
    }),
    async run({ organisation, own, query }) {
      const { time_of_generation_min: from, time_of_generation_max: to, cursor } = query;
      const selection = {
        organisation,
        ...(from !== undefined && { from: Date.parse(from) }),
        ...(to !== undefined && { to: Date.parse(to) }),
        // A credential of a workspace sees that one, whichever it asks for.
        where: own
          ? [...conditionsOf({ ...query, workspace_slug: undefined }), { column: "workspace" as const, in: [own.id] }]
          : conditionsOf(query),
      };
      const { number, size } = pageOf(query, pages);
      const where = cursor === undefined ? { skip: number * size } : { after: cursor };
      const [total, page] = await Promise.all([
        logs.count(selection),
        logs.find({ ...selection, limit: size, ...where }),
      ]);
      return { object: "list", total, data: page.rows, next_cursor: page.next ?? null };
    },
  });
}
