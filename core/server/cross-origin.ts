import type { IncomingMessage, ServerResponse } from "node:http";

/** Which pages of other origins may call from a browser, and what they may send and see. */
export interface CrossOriginSettings {
  /** Origins, or `*` for all. */
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  /** Headers of requests; `*` is whichever a page asks for. */
  readonly headers: readonly string[];
  /** Headers of answers that pages may read. */
  readonly exposedHeaders: readonly string[];
}

export interface CrossOrigin {
  /** Says on the answer to a page of another origin that its browser may hand it over. */
  allow(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what a browser asks before it sends a page's request. */
  preflight(request: IncomingMessage, response: ServerResponse): void;
}

/** What a browser asks before it sends a request of a page of another origin. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;

export function crossOrigin({ origins, methods, headers, exposedHeaders }: CrossOriginSettings): CrossOrigin {
  const anybody = origins.includes("*");
  const listed = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, "")));
  const anyHeader = headers.includes("*");
  const exposed = exposedHeaders.join(",");
  /** Whether the page may call; what is said depends on who asks unless anybody may. */
  const admit = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { origin } = request.headers;
    // Said to everybody: who keeps an answer must not give one that names no page to a page.
    if (!anybody) response.setHeader("vary", "origin");
    if (origin === undefined) return false;
    if (!anybody && !listed.has(origin.toLowerCase())) return false;
    response.setHeader("access-control-allow-origin", anybody ? "*" : origin);
    return true;
  };
  return {
    allow(request, response) {
      if (admit(request, response) && exposed !== "") response.setHeader("access-control-expose-headers", exposed);
    },
    preflight(request, response) {
      if (admit(request, response)) {
        // A star of our own would leave out `authorization`, and those who sent a credential.
        const asked = anyHeader ? (request.headers["access-control-request-headers"] ?? "*") : headers.join(",");
        response.setHeader("access-control-allow-methods", methods.join(","));
        response.setHeader("access-control-allow-headers", asked);
        response.setHeader("access-control-max-age", "600");
      }
      response.writeHead(204).end();
    },
  };
}
