import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerSettings } from "../../config/index.ts";

export type CorsSettings = ServerSettings["cors"];

/** Answers a preflight and says so, or adds what lets a page of another origin read the answer to come. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean;

/** What the gateway tells about an answer (inference-api.md section 4): pages may read it wherever they may read anything. */
const told = [
  "trace-id",
  "request-id",
  "cache-status",
  "retry-attempt-count",
  "last-used-option-index",
  "provider",
  "gateway-exception",
  "dropped-params",
];

/** Seconds a browser may remember an answer; none keeps it longer. */
const maxAge = "7200";

/** Undefined where no origin is allowed: no answer says anything about origins then. */
export function corsOf(settings: CorsSettings, prefix: string): Cors | undefined {
  if (settings.origins.length === 0) return undefined;
  const allowed = new Set(settings.origins.map((origin) => origin.toLowerCase().replace(/\/$/, "")));
  const anybody = allowed.has("*");
  const methods = settings.methods.join(", ");
  const exposed = [...new Set([...told.map((name) => prefix + name), ...settings.exposed])].join(", ");
  return (request, response) => {
    const { origin } = request.headers;
    if (!anybody) response.setHeader("vary", "origin");
    if (origin !== undefined && (anybody || allowed.has(origin.toLowerCase()))) {
      response.setHeader("access-control-allow-origin", anybody ? "*" : origin);
      response.setHeader("access-control-expose-headers", exposed);
      if (request.method === "OPTIONS") preflight(settings, methods, request, response);
    }
    if (request.method !== "OPTIONS") return false;
    response.writeHead(204).end();
    return true;
  };
}

function preflight(settings: CorsSettings, methods: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("access-control-allow-methods", methods);
  const headers = headersFor(settings, request.headers["access-control-request-headers"]);
  if (headers !== "") response.setHeader("access-control-allow-headers", headers);
  response.setHeader("access-control-max-age", maxAge);
}

/** `*` says nothing of `authorization` to a browser, so it is told what it asked for. */
function headersFor({ headers }: CorsSettings, asked: string | undefined): string {
  return headers.includes("*") ? (asked ?? "*") : headers.join(", ");
}
