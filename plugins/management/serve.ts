import {
  type AuditedCall,
  type CheckedCall,
  type Concerned,
  type Exchange,
  GatewayError,
  isRecord,
  type ManagementCall,
  type ManagementOperation,
  type ManagementService,
  notTakenBack,
  type Principal,
  type Served,
  slot,
  storeDown,
  type WorkspaceFinder,
  z,
} from "../../core/index.ts";
import { type Asked, Call } from "./call.ts";
import { checked } from "./checked.ts";
import type { queryReader } from "./query.ts";

/** What all operations share. */
export interface Desk {
  /** Counts a call of a credential; throws `throttled`. */
  readonly admit: (credential: string) => void;
  readonly workspace: WorkspaceFinder;
  readonly reference: ManagementService["reference"];
  readonly guard: (call: ManagementCall, scopes: readonly string[]) => Promise<void>;
  /** Told of a write that was refused once it was kept, and that could not be taken back. */
  readonly stayed: (exchange: Exchange, error: unknown) => void;
}

/** Whose trail a call belongs to, where its credential does not say so. */
const concerned = slot<Exchange, Concerned>("management: concerned");

/** The write an exchange was, done or refused, where it is known whose. */
export function auditOf(exchange: Exchange, audit: NonNullable<ManagementOperation["audit"]>): AuditedCall | undefined {
  const { workspace, ...known } = concerned.get(exchange) ?? {};
  const organisation = exchange.principal?.organisation ?? known.organisation;
  if (organisation === undefined) return undefined;
  return { exchange, organisation, ...(workspace !== undefined && { workspace }), ...audit, body: jsonOf(exchange) };
}

/** The workspace of a record, if it is one. */
function placeOf(found: unknown): Concerned {
  const document = isRecord(found) ? found.document : undefined;
  const workspace = isRecord(document) ? document.workspace_id : undefined;
  return typeof workspace === "string" ? { workspace } : {};
}

const mebibyte = 1024 * 1024;

/** Runs an operation, checking in the order of control-plane.md section 1.5: the first thing that is wrong answers. */
export async function serveOperation<Found, Body extends z.ZodType, Query extends z.ZodObject>(
  operation: ManagementOperation<Found, Body, Query>,
  exchange: Exchange,
  path: Readonly<Record<string, string>>,
  desk: Desk,
  understood: ReturnType<typeof queryReader>,
): Promise<Served> {
  try {
    const asked = reader(exchange, operation.bodyBytes ?? mebibyte);
    const principal = principalOf(exchange, operation.key);
    const concerns = (whose: Concerned) => concerned.set(exchange, { ...concerned.get(exchange), ...whose });
    desk.admit(principal.id);
    const own = principal.workspace === undefined ? undefined : await ownWorkspace(principal, desk);
    const { workspace: find, reference } = desk;
    const call = new Call({ exchange, principal, path, own, asked, find, reference, concerns });
    refuseKind(operation.key, principal);
    call.require(...operation.scopes);
    await desk.guard(call, operation.scopes);
    const { query, body } = asked();
    call.refuseForeign();
    const found = (await operation.find?.(call)) as Found;
    call.concerns(placeOf(found));
    const more = operation.saysFailure ? failure : undefined;
    const answer = await operation.run(
      Object.assign(call, {
        found,
        query: understood(query, more) as z.output<Query>,
        body: checkedBody(operation.body, body, more) as z.output<Body>,
        sent: new Set(isRecord(body) ? Object.keys(body) : []),
      }) satisfies CheckedCall<Found, z.output<Body>, z.output<Query>>,
    );
    return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body: answer };
  } catch (error) {
    const why = notTakenBack(error);
    if (why !== undefined) desk.stayed(exchange, why);
    throw storeDown(error);
  }
}

const failure = { status: "failure" } as const;

/** What any body may say of whose records are meant; null, which records say that are sent back, is nothing. */
const whose = z.looseObject({ organisation_id: z.string().nullish(), workspace_id: z.string().nullish() });

function checkedBody(schema: z.ZodType | undefined, body: unknown, more: typeof failure | undefined): unknown {
  const known = schema && checked(schema, body ?? {}, "body", more);
  if (isRecord(body)) checked(whose, body, "body", more);
  return known;
}

/** Management needs to know whose records are meant: a principal without an organisation has none. */
function principalOf({ principal, gatewayHeaders }: Exchange, key: ManagementOperation["key"]): Principal {
  if (key === "anyone") return principal ?? { id: "anyone" };
  if (principal?.organisation !== undefined) return principal;
  throw new GatewayError(
    "invalid_api_key",
    `The management API needs an API key of the organisation or of a workspace, in ${gatewayHeaders.nameOf("api-key")}.`,
  );
}

async function ownWorkspace({ organisation = "", workspace = "" }: Principal, desk: Desk) {
  const found = await desk.workspace(organisation, workspace);
  if (found) return found;
  throw new GatewayError("forbidden", "The workspace of this credential is no longer there.");
}

function refuseKind(key: ManagementOperation["key"], { workspace }: Principal): void {
  if (key === "organisation" && workspace !== undefined)
    throw new GatewayError("forbidden", "This needs an API key of the organisation; this one is of a workspace.");
  if (key === "workspace" && workspace === undefined)
    throw new GatewayError("forbidden", "This needs an API key of a workspace; this one is of the organisation.");
}

/** What a body says, for the trail of a call that may be refused before it is read. */
function jsonOf({ request }: Exchange): unknown {
  try {
    return request?.bytes?.length ? request.json : undefined;
  } catch {
    return undefined;
  }
}

/** Reads query and body when they are first asked for. */
function reader({ url, request, headers }: Exchange, most: number): () => Asked {
  let asked: Asked | undefined;
  return () => {
    if (asked) return asked;
    const { bytes } = request ?? {};
    if (bytes && bytes.length > most)
      throw new GatewayError("body_too_large", `The body has ${bytes.length} bytes; ${most} are the most here.`);
    const type = headers["content-type"];
    if (type !== undefined && announcesBody(headers) && !/^\s*application\/json\s*(?:;|$)/i.test(type))
      throw new GatewayError("record_invalid", `The body must be application/json, not ${type}.`, {
        param: "content-type",
      });
    asked = {
      query: saidIn(new URL(url, "http://gateway").searchParams),
      body: bytes?.length ? request?.json : undefined,
    };
    return asked;
  };
}

/** Of a request without a body nobody minds the type. */
const announcesBody = ({ "content-length": length, "transfer-encoding": encoding }: Exchange["headers"]): boolean =>
  encoding !== undefined || Number(length ?? 0) > 0;

/** The parameters of a query; one that is there several times is a list, as with commas. */
function saidIn(query: URLSearchParams): Record<string, string> {
  const said = new Map<string, string>();
  for (const [name, value] of query) said.set(name, said.has(name) ? `${said.get(name)},${value}` : value);
  return Object.fromEntries(said);
}
