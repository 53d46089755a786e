import {
  fields,
  GatewayError,
  isId,
  type ManagementService,
  type PageRule,
  pageFields,
  pageOf,
  type RecordCollection,
  z,
} from "../../core/index.ts";
import type { AuditDocument } from "./document.ts";
import type { SealedBodies } from "./sealed-bodies.ts";
import { everyOne } from "./verify.ts";

const page: PageRule = { size: 50, max: 100, zero: true };

const text = z.string().optional();

const query = z.object({
  start_time: fields.instant,
  end_time: fields.instant,
  organisation_id: text,
  method: z.enum(["POST", "PUT", "DELETE"]).optional(),
  uri: text.describe("What the path begins with."),
  request_id: text,
  user_id: text,
  user_type: z.enum(["user", "api_key"]).optional(),
  workspace_id: z
    .string()
    .transform((ref) => ref || undefined)
    .optional()
    .describe("Id or slug."),
  response_status_code: z
    .string()
    .regex(/^\d{3}$/, "must be a status: 403")
    .transform(Number)
    .optional(),
  resource_type: text,
  action: text,
  client_ip: text,
  country: text,
  ...pageFields(page),
});

type Query = z.output<typeof query>;

const answer = z.object({
  records: z.array(
    z.looseObject({
      timestamp: z.string(),
      method: z.string().describe("Empty for what happened without a call."),
      uri: z.string(),
      request_id: z.string(),
      request_body: z
        .string()
        .describe("JSON, with secrets masked; what is too long is cut at `…`, and so is what cannot be decrypted."),
      query_params: z.string(),
      request_headers: z.string(),
      user_id: z.string(),
      user_type: z.enum(["user", "api_key"]),
      organisation_id: z.string(),
      workspace_id: z.string(),
      response_status_code: z.int().nullable(),
      resource_type: z.string(),
      action: z.string(),
      client_ip: z.string(),
      country: z.string(),
      subject: z.string().describe("Whom or what an event is about."),
      details: z.string().describe("The rest of an event, as JSON."),
      sequence: z.int().describe("Its number in the chain of the organisation."),
      digest: z.string().describe("SHA-256 of the entry and the digest of the one before."),
    }),
  ),
  total: z.int(),
  object: z.literal("analytics-graph"),
});

/** GET /audit-logs (control-plane.md section 16). */
export function serveAuditLogs(
  management: ManagementService,
  entries: RecordCollection<AuditDocument>,
  bodies: SealedBodies,
): void {
  management.operation({
    method: "GET",
    path: "/audit-logs",
    tag: "audit-logs",
    summary: "Lists what was done through the management API, and what happened of itself.",
    scopes: ["audit_logs.list"],
    key: "organisation",
    query,
    answer,
    async run({ organisation, query: asked }) {
      if (asked.end_time <= asked.start_time)
        throw new GatewayError("record_invalid", "end_time: must be after start_time", { param: "end_time" });
      const { number, size } = pageOf(asked, page);
      const wanted = wantedBy(asked);
      const found: AuditDocument[] = [];
      let total = 0;
      for (const where of placesOf(asked))
        for await (const { document } of everyOne(entries, { tenant: organisation, where, order: "newest" })) {
          if (!wanted(document)) continue;
          if (total >= number * size && found.length < size) found.push(document);
          total++;
        }
      const records = await Promise.all(
        found.map(async (document) => shown(organisation, await bodies.opened(organisation, document))),
      );
      return { records, total, object: "analytics-graph" };
    },
  });
}

const day = 24 * 60 * 60 * 1000;

/** Days that the store is asked for one by one; of a longer time all entries are looked at. */
const mostDays = 400;

/**
 * What the store finds by itself, the newest first. Each day is asked for alone: where one of several would do, a store has
 * no index to go by, and looks at every entry that is newer than the days.
 */
function placesOf({ start_time, end_time, workspace_id: workspace, request_id, user_id, resource_type }: Query) {
  const last = Math.floor(Date.parse(end_time) / day);
  const days = last - Math.floor(Date.parse(start_time) / day) + 1;
  const rest = {
    ...(workspace !== undefined && { [isId(workspace) ? "workspace_uuid" : "workspace_id"]: workspace }),
    ...(user_id !== undefined && { user_id }),
    ...(resource_type !== undefined && { resource_type }),
  };
  if (request_id !== undefined || days > mostDays)
    return [{ ...(request_id !== undefined && { request_id }), ...rest }];
  return Array.from({ length: days }, (_, at) => ({
    day: new Date((last - at) * day).toISOString().slice(0, 10),
    ...rest,
  }));
}

function wantedBy({ start_time, end_time, uri, ...asked }: Query): (document: AuditDocument) => boolean {
  const equal = (["method", "user_type", "response_status_code", "action", "client_ip", "country"] as const).filter(
    (name) => asked[name] !== undefined,
  );
  return (document) =>
    document.timestamp >= start_time &&
    document.timestamp <= end_time &&
    (uri === undefined || document.uri.startsWith(uri)) &&
    equal.every((name) => document[name] === asked[name]);
}

function shown(organisation_id: string, document: Omit<AuditDocument, "sealed_body">): object {
  const { id, workspace_uuid, previous, previous_until, kept_until, day: _, block, ...rest } = document;
  return { ...rest, organisation_id };
}
