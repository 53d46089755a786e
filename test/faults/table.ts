import { broken, complete, type Expected, refused } from "./reading.ts";
import { begin, beginThen, type FormatName, firstOf, said, type VendorCall } from "./vendor.ts";

/** One cell of the table: who asks, who is asked, how. */
export interface Cell {
  readonly client: FormatName;
  readonly vendor: FormatName;
  readonly stream: boolean;
}

/** A fault, and what a client makes of it. A cell in which the fault has no meaning is left out. */
export interface Row {
  readonly fault: string;
  /** Done by the simulator, under this model; or by a vendor on a socket. */
  readonly model?: string;
  readonly vendor?: (call: VendorCall) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: (cell: Cell) => Expected | undefined;
}

const either =
  (whole: Expected | undefined, stream: Expected | undefined) =>
  (cell: Cell): Expected | undefined =>
    cell.stream ? stream : whole;
const both = (expected: Expected) => either(expected, expected);

const connectionFailed = refused(500, "C", "upstream_connection_error");
const unusable = refused(502, "C", "upstream_invalid_response");
const timedOut = refused(408, "C", "timeout_error");

/** How vendors of each format call the failure the simulator reports inside a stream. */
const inStream = { openai: "server_error", anthropic: "overloaded_error" } as const;
const serverError = { openai: "server_error", anthropic: "api_error" } as const;
const tooMany = "rate_limit_error";

const simulated: readonly Row[] = [
  {
    fault: "status 429 with retry-after",
    model: "fault-status-429-retry-after-7",
    expected: both(refused(429, "B", tooMany, { "retry-after": "7" })),
  },
  {
    fault: "status 500",
    model: "fault-status-500",
    expected: ({ vendor }) => refused(500, "B", serverError[vendor]),
  },
  {
    fault: "status 503",
    model: "fault-status-503",
    expected: ({ vendor }) => refused(503, "B", serverError[vendor]),
  },
  { fault: "a reset before the headers", model: "fault-reset", expected: both(connectionFailed) },
  {
    fault: "silence",
    model: "fault-silence",
    headers: { "x-gateway-request-timeout": "60" },
    expected: both(timedOut),
  },
  { fault: "a slow first token", model: "fault-slow-first-token-40", expected: both(complete) },
  { fault: "slow headers", model: "fault-slow-40", expected: both(complete) },
  {
    fault: "a cut after some frames",
    model: "fault-cut-after-3",
    expected: either(connectionFailed, broken("upstream_connection_error")),
  },
  {
    fault: "an orderly end after some frames",
    model: "fault-end-after-3",
    expected: either(unusable, broken("upstream_truncated")),
  },
  {
    fault: "a stall after some frames",
    model: "fault-stall-after-3",
    expected: either(timedOut, broken("timeout_error")),
  },
  {
    fault: "a malformed frame",
    model: "fault-malformed-frame",
    // Nobody parses a whole answer that passes through: what begins and ends as an object goes on as it came.
    expected: ({ client, vendor, stream }) =>
      stream ? { kind: "complete", malformed: 1 } : client === vendor ? undefined : unusable,
  },
  { fault: "no terminator behind a finished answer", model: "fault-no-done", expected: both(complete) },
  {
    fault: "an error event after some frames",
    model: "fault-error-event-after-3",
    // A client of the other format is told of it in the words of its own.
    expected: ({ vendor, client, stream }) =>
      stream
        ? broken(vendor === client ? inStream[vendor] : serverError[client])
        : refused(500, "B", serverError[vendor]),
  },
  {
    fault: "an error event as the very first frame",
    model: "fault-error-event-after-0",
    expected: ({ vendor, stream }) =>
      stream
        ? refused(vendor === "anthropic" ? 529 : 502, "B", inStream[vendor])
        : refused(500, "B", serverError[vendor]),
  },
  { fault: "no fault", model: "simple", expected: both(complete) },
];

const html = "<!doctype html>\n\n<html><body>\n\nPlease log in.\n\n</body></html>\n";

const onSockets: readonly Row[] = [
  {
    fault: "a connection reset before the headers",
    vendor: (call) => call.incoming.socket.resetAndDestroy(),
    expected: both(connectionFailed),
  },
  {
    fault: "a connection closed before the headers",
    vendor: (call) => void call.incoming.socket.end(),
    expected: both(connectionFailed),
  },
  {
    fault: "something else than HTTP",
    vendor: (call) => void call.incoming.socket.end("220 mail.example ESMTP\r\n"),
    expected: both(connectionFailed),
  },
  {
    fault: "a connection reset in the middle",
    vendor: (call) => beginThen(call, () => call.incoming.socket.resetAndDestroy()),
    expected: either(connectionFailed, broken("upstream_connection_error")),
  },
  {
    fault: "an orderly end in the middle",
    vendor(call) {
      begin(call);
      call.response.end(firstOf(call, 3));
    },
    expected: either(unusable, broken("upstream_truncated")),
  },
  {
    fault: "an orderly end in the middle of a frame",
    vendor(call) {
      begin(call);
      call.response.end(`${firstOf(call, 3)}data: {"choi`);
    },
    expected: either(undefined, broken("upstream_truncated")),
  },
  {
    fault: "a stall in the middle",
    vendor(call) {
      begin(call);
      call.response.write(firstOf(call, 3));
    },
    expected: either(timedOut, broken("timeout_error")),
  },
  {
    fault: "a body that is not there",
    vendor(call) {
      begin(call);
      call.response.end();
    },
    expected: either(unusable, refused(502, "C", "upstream_truncated")),
  },
  {
    fault: "a terminator without an answer",
    vendor(call) {
      begin(call);
      call.response.end(said[call.format].frames.at(-1));
    },
    expected: either(undefined, refused(502, "C", "upstream_truncated")),
  },
  {
    fault: "a terminator behind an unfinished answer",
    vendor(call) {
      begin(call);
      call.response.end(firstOf(call, 3) + said[call.format].frames.at(-1));
    },
    expected: either(undefined, broken("upstream_truncated")),
  },
  {
    fault: "a whole answer where a stream was asked for",
    vendor: ({ response, format }) => {
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
      response.end(JSON.stringify(said[format].whole));
    },
    expected: both(complete),
  },
  {
    fault: "a web page",
    vendor: ({ response }) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html),
    expected: both(unusable),
  },
  {
    fault: "a web page with an error status",
    vendor: ({ response }) => response.writeHead(503, { "content-type": "text/html" }).end(html),
    expected: both(refused(503, "B", null)),
  },
  {
    fault: "a redirection",
    vendor: ({ response }) => response.writeHead(302, { location: "https://elsewhere.example/" }).end(),
    expected: both(refused(302, "B", null)),
  },
  {
    fault: "an error status with JSON of another shape",
    vendor: ({ response }) => response.writeHead(418, { "content-type": "application/json" }).end('["teapot"]'),
    expected: both(refused(418, "B", null)),
  },
  {
    fault: "an answer larger than allowed",
    vendor: (call) => beginThen(call, () => call.response.end(`data: ${"x".repeat(100_000)}\n\n`)),
    expected: either(unusable, broken("upstream_invalid_response")),
  },
  {
    fault: "a first frame larger than allowed",
    vendor(call) {
      begin(call);
      call.response.end(`data: ${"x".repeat(100_000)}\n\n`);
    },
    expected: either(undefined, unusable),
  },
  {
    fault: "JSON that is cut short",
    vendor: ({ response, format }) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(said[format].whole).slice(0, -30));
    },
    expected: both(unusable),
  },
  {
    fault: "JSON that is no object",
    vendor: ({ response }) => response.writeHead(200, { "content-type": "application/json" }).end('"sorry"'),
    expected: both(unusable),
  },
  {
    fault: "a last frame without its blank line",
    vendor(call) {
      begin(call);
      const { frames, whole } = said[call.format];
      call.response.end(call.stream ? frames.join("").trimEnd() : JSON.stringify(whole));
    },
    expected: both(complete),
  },
];

export const rows: readonly Row[] = [...simulated, ...onSockets];

export const cells: readonly Cell[] = (["openai", "anthropic"] as const).flatMap((client) =>
  (["openai", "anthropic"] as const).flatMap((vendor) => [false, true].map((stream) => ({ client, vendor, stream }))),
);
