import { randomUUID } from "node:crypto";
import { type AuditEvent, type AuditedCall, isRecord } from "../../core/index.ts";
import { maskedJson } from "./masking.ts";
import { isSecretName, snakeCase } from "./secret-names.ts";

/** What the trail says of one call or event, without its place in the chain. Every field is a text, a number or null. */
export interface AuditEntry {
  /** Of this entry, and of no other. */
  readonly id: string;
  /** ISO 8601; of a call, when it arrived. */
  readonly timestamp: string;
  /** Empty for events, which are nobody's call, as are `uri`, `request_id`, `user_id` and `client_ip`. */
  readonly method: string;
  /** The path, without the query. */
  readonly uri: string;
  readonly request_id: string;
  /** JSON, without secrets, as the next two are. */
  readonly request_body: string;
  /** The body of a call about records that are encrypted, encrypted as well; `request_body` is empty then. */
  readonly sealed_body?: string;
  readonly query_params: string;
  readonly request_headers: string;
  readonly user_id: string;
  readonly user_type: "user" | "api_key";
  /** The workspace's slug; empty where none is meant. */
  readonly workspace_id: string;
  readonly workspace_uuid: string;
  /** Null where nobody was answered. */
  readonly response_status_code: number | null;
  readonly resource_type: string;
  readonly action: string;
  readonly client_ip: string;
  readonly country: string;
  /** Of an event: what it is about, and the rest of it as JSON. */
  readonly subject: string;
  readonly details: string;
}

/** An entry whose workspace is still to be looked up. */
export interface Noted {
  readonly organisation: string;
  /** By id or slug, as it was named. */
  readonly workspace: string | undefined;
  /** Of a call by somebody who was not let in: their key has expired, and nothing throttles them. */
  readonly outside?: boolean;
  readonly entry: Omit<AuditEntry, "workspace_id" | "workspace_uuid">;
}

const longestUri = 2048;

/** A call of the management API, without its secrets. `countryHeader` is in lower case. */
export function noteOfCall(
  { exchange, organisation, workspace, resource, action, body }: AuditedCall,
  countryHeader: string | undefined,
): Noted {
  const { principal, headers, url } = exchange;
  const { pathname, searchParams } = new URL(url, "http://gateway");
  const query = Object.fromEntries(searchParams);
  const country = countryHeader === undefined ? undefined : headers[countryHeader];
  return {
    organisation,
    workspace: principal?.workspace ?? namedWorkspace(query, body) ?? workspace,
    outside: exchange.authenticatedAt === undefined,
    entry: {
      ...nobody(resource, action, exchange.receivedAt),
      method: exchange.method,
      uri: pathname.slice(0, longestUri),
      request_id: exchange.id,
      request_body: body === undefined ? "{}" : maskedJson(body),
      query_params: maskedJson(query),
      request_headers: maskedJson(withoutCredentials(headers, principal?.credentialHeaders)),
      user_id: principal?.user ?? (principal?.organisation === undefined ? "" : principal.id),
      user_type: principal?.user === undefined ? "api_key" : "user",
      response_status_code: exchange.status ?? null,
      client_ip: exchange.remoteAddress ?? "",
      country: typeof country === "string" ? country.slice(0, 64) : "",
    },
  };
}

/** Something that happened without a call (control-plane.md section 16). */
export const noteOfEvent = (event: AuditEvent, now: number): Noted => ({
  organisation: event.organisation,
  workspace: event.workspace,
  entry: {
    ...nobody(event.resource, event.action, now),
    response_status_code: event.status ?? null,
    subject: event.subject ?? "",
    details: maskedJson(event.details ?? {}),
  },
});

const nobody = (resource_type: string, action: string, at: number): Noted["entry"] => ({
  id: randomUUID(),
  timestamp: new Date(at).toISOString(),
  method: "",
  uri: "",
  request_id: "",
  request_body: "{}",
  query_params: "{}",
  request_headers: "{}",
  user_id: "",
  user_type: "api_key",
  response_status_code: null,
  resource_type,
  action,
  client_ip: "",
  country: "",
  subject: "",
  details: "{}",
});

/** A deployment may carry credentials in a header of its own, by whose name nobody would take it for a secret. */
const withoutCredentials = (
  headers: Readonly<Record<string, unknown>>,
  credential: readonly string[] = [],
): Record<string, unknown> => {
  const unusual = credential.filter((name) => name in headers && !isSecretName(snakeCase(name)));
  return { ...headers, ...Object.fromEntries(unusual.map((name) => [name, "*******"])) };
};

/** What a body says counts before the query, as it does for the call itself. */
function namedWorkspace(query: Readonly<Record<string, string>>, body: unknown): string | undefined {
  const named = (isRecord(body) ? body.workspace_id : undefined) ?? query.workspace_id;
  return typeof named === "string" && named !== "" && named.length <= 255 ? named : undefined;
}
