import { describe, expect, it } from "vitest";
import type { Outcome, Route, Target } from "../../core/index.ts";
import { drive, failed, outcome, target, walkOf } from "../../test/support/walks.ts";
import { retryPolicy } from "./policy.ts";
import { retrying } from "./retrying.ts";

function* once(one: Target): Route {
  return yield one;
}

const now = Date.UTC(2024, 4, 1, 12, 0, 0);

function run(retry: object, outcomes: readonly Outcome[], more: Parameters<typeof walkOf>[0] = {}) {
  const walk = walkOf({ now: () => now, ...more });
  const driven = drive(retrying(target("config"), retryPolicy.parse(retry), walk, once), outcomes);
  const [, ...waits] = driven.delays;
  return { waits, status: driven.result.status, count: driven.result.retries, notes: walk.notes };
}

const busy = (headers: Record<string, string> = {}) => outcome(429, { headers });
const wanting = (seconds: number | string) => busy({ "retry-after": `${seconds}` });
const [s200, s429, s500, s503] = [outcome(200), busy(), outcome(500), outcome(503)];
const unlisted = outcome(400);

/** What a config says, what is answered, the waits that follow, and what the client is told. */
const table: readonly [string, object, readonly Outcome[], readonly number[], number, number][] = [
  ["succeeds at once", { attempts: 3 }, [s200], [], 200, 0],
  ["is told not to", { attempts: 0 }, [s503], [], 503, 0],
  ["is told not to, and cannot connect", { attempts: 0 }, [failed.refused], [], 500, 0],
  ["fails for good at once", { attempts: 3 }, [unlisted], [], 400, 0],
  ["succeeds at the second retry", { attempts: 3 }, [s503, s500, s200], [1000, 2000], 200, 2],
  ["ends on what is not listed", { attempts: 3 }, [s503, unlisted], [1000], 400, 1],
  ["uses all attempts", { attempts: 2 }, [s503], [1000, 2000], 503, -1],
  ["is allowed five at most", { attempts: 9 }, [s503], [1000, 2000, 4000, 8000, 16_000], 503, -1],
  ["listens to the other name", { max_attempts: 1 }, [s503], [1000], 503, -1],
  ...[429, 500, 502, 503, 504, 529].map(
    (status) => [`meets ${status}`, { attempts: 1 }, [outcome(status), s200], [1000], 200, 1] as never,
  ),
  ...[100, 246, 301, 400, 401, 404, 408, 409, 413, 422, 446, 501].map(
    (status) => [`meets ${status}`, { attempts: 1 }, [outcome(status)], [], status, 0] as never,
  ),
  ["has a list of its own", { attempts: 1, on_status_codes: [500] }, [s503], [], 503, 0],
  ["has it as text", { attempts: 1, on_status_codes: ["503"] }, [s503, s200], [1000], 200, 1],
  ["has an empty list", { attempts: 1, on_status_codes: [] }, [s500], [], 500, 0],
  // Connections are tried again whatever the list says.
  ["cannot connect", { attempts: 1, on_status_codes: [] }, [failed.refused], [1000], 500, -1],
  ["cannot connect in time", { attempts: 1, on_status_codes: [] }, [failed.unreachable, s200], [1000], 200, 1],
  // Other failures the gateway notices, by their status.
  ["is not answered in time", { attempts: 1 }, [failed.timeout], [], 408, 0],
  ["may time out", { attempts: 1, on_status_codes: [408] }, [failed.timeout, s200], [1000], 200, 1],
  ["gets what is no JSON", { attempts: 1 }, [outcome(502, { code: "upstream_invalid" }), s200], [1000], 200, 1],
  ["gets half", { attempts: 1 }, [outcome(502, { code: "upstream_truncated" }), s200], [1000], 200, 1],
  ["gets too much", { attempts: 1 }, [outcome(502, { code: "upstream_too_large" })], [], 502, 0],
  // What the gateway refuses itself it would refuse again.
  ["is over a limit", { attempts: 1 }, [outcome(429, { code: "rate_limited", headers: {} })], [], 429, 0],
  [
    "has no budget",
    { attempts: 1, on_status_codes: [412] },
    [outcome(412, { code: "budget_exhausted", headers: {} })],
    [],
    412,
    0,
  ],
  [
    "may not call the address",
    { attempts: 1, on_status_codes: [400] },
    [outcome(400, { code: "address_blocked", headers: {} })],
    [],
    400,
    0,
  ],
  [
    "asks wrongly",
    { attempts: 1, on_status_codes: [400] },
    [outcome(400, { code: "invalid_request", headers: {} })],
    [],
    400,
    0,
  ],
  [
    "meets a failure of the gateway",
    { attempts: 1, on_status_codes: [500] },
    [failed.internal],
    [],
    500,
    undefined as never,
  ],
  // What cannot succeed, whatever the list says.
  ...(
    [
      [400, "context_length_exceeded"],
      [400, "string_above_max_length"],
      [400, "content_filter"],
      [400, "content_policy_violation"],
      [429, "insufficient_quota"],
      [500, "context_length_exceeded"],
    ] as const
  ).map(
    ([status, reason]) =>
      [
        `is told ${status} ${reason}`,
        { attempts: 3, on_status_codes: [400, 429, 500] },
        [outcome(status, { reason })],
        [],
        status,
        0,
      ] as never,
  ),
  [
    "is told of too many requests",
    { attempts: 1 },
    [outcome(429, { reason: "rate_limit_exceeded" }), s200],
    [1000],
    200,
    1,
  ],
  // Guardrails: an answer may be asked for again, at once; a request stays denied.
  ["gets an answer that fails a check", { attempts: 1, on_status_codes: [246] }, [outcome(246), s200], [0], 200, 1],
  ["gets an answer that is denied", { attempts: 2, on_status_codes: [446] }, [outcome(446), s503], [0], 503, 1],
  ["gets none that passes", { attempts: 2, on_status_codes: [246] }, [outcome(246)], [0, 0], 246, -1],
  ["shares its attempts", { attempts: 2, on_status_codes: [246, 503] }, [s503, outcome(246), s503], [1000, 0], 503, -1],
  [
    "is asked what fails a check",
    { attempts: 2, on_status_codes: [246] },
    [outcome(246, { foregone: true })],
    [],
    246,
    0,
  ],
  ["is denied", { attempts: 2, on_status_codes: [446] }, [outcome(446, { given: true })], [], 446, 0],
];

describe("a leaf that", () => {
  it.each(table)("%s", (_, retry, outcomes, waits, status, count) => {
    expect(run(retry, outcomes)).toMatchObject({ waits, status, count });
  });

  it("retries says so, with the number", () => {
    expect(run({ attempts: 2 }, [s503, s200]).notes).toEqual(["config answered 503: retry 1 of 2 after 1000 ms"]);
  });

  it("retries calls the same target again, marked as a retry", () => {
    const made: Target[] = [];
    const inner = function* (one: Target): Route {
      made.push(one);
      return yield one;
    };
    const first = { ...target("config"), model: "m" };
    drive(retrying(first, retryPolicy.parse({ attempts: 1 }), walkOf(), inner), [s503]);
    expect(made).toEqual([first, { ...first, retry: true, delayMs: 1000 }]);
  });
});

/** With `use_retry_after_headers`: what is answered, the waits that follow, what the client is told. */
const asked: readonly [string, readonly Outcome[], readonly number[], number, number][] = [
  ["seconds", [wanting(5), s200], [5000], 200, 1],
  ["milliseconds", [busy({ "retry-after-ms": "300" }), s200], [300], 200, 1],
  ["milliseconds, the other way", [busy({ "x-ms-retry-after-ms": "250" }), s200], [250], 200, 1],
  ["the first of several", [busy({ "retry-after": "9", "retry-after-ms": "300" }), s200], [300], 200, 1],
  ["nothing", [s429, s429, s200], [1000, 2000], 200, 2],
  ["nothing intelligible", [wanting("soon"), s200], [1000], 200, 1],
  ["nothing intelligible first", [busy({ "retry-after-ms": "x", "retry-after": "9" }), s200], [1000], 200, 1],
  ["0", [wanting(0), s200], [1000], 200, 1],
  ["less than 0", [wanting(-5), s200], [1000], 200, 1],
  ["a date", [wanting("Wed, 01 May 2024 12:00:07 GMT"), s200], [7000], 200, 1],
  ["a date of the second kind", [wanting("Wednesday, 01-May-24 12:00:08 GMT"), s200], [8000], 200, 1],
  ["a date of the oldest kind", [wanting("Wed May  1 12:00:09 2024"), s200], [9000], 200, 1],
  ["a date gone by", [wanting("Wed, 01 May 2024 11:59:59 GMT"), s200], [1000], 200, 1],
  ["a date too late", [wanting("Wed, 01 May 2024 12:01:00 GMT")], [], 429, -1],
  ["no date of HTTP", [wanting("2024-05-01T12:00:07Z"), s200], [1000], 200, 1],
  ["just under a minute", [wanting(59), s200], [59_000], 200, 1],
  ["a minute", [wanting(60)], [], 429, -1],
  ["more", [wanting(61)], [], 429, -1],
  ["far more", [wanting("9".repeat(400))], [], 429, -1],
  ["more than is left", [wanting(20), wanting(50)], [20_000], 429, -1],
  ["all that is left", [wanting(20), wanting(40), wanting(1)], [20_000, 40_000], 429, -1],
  // The schedule goes on meanwhile, and does not use up the minute.
  ["seconds in between", [s503, wanting(5), s503, s200], [1000, 5000, 4000], 200, 3],
  ["backoffs and much", [s503, s503, s503, wanting(59), s200], [1000, 2000, 4000, 59_000], 200, 4],
  // Only a 429 may ask.
  ["seconds in a 503", [outcome(503, { headers: { "retry-after": "61" } }), s200], [1000], 200, 1],
];

describe("an upstream that asks for", () => {
  const retry = { attempts: 5, use_retry_after_headers: true };

  it.each(asked)("%s", (_, outcomes, waits, status, count) => {
    expect(run(retry, outcomes)).toMatchObject({ waits, status, count });
    const { use_retry_after_headers: use_retry_after_header, attempts } = retry;
    expect(run({ attempts, use_retry_after_header }, outcomes)).toMatchObject({ waits, status, count });
  });

  it("a minute is not listened to unless it is told to", () => {
    expect(run({ attempts: 1 }, [wanting(61), s200])).toMatchObject({ waits: [1000], count: 1 });
  });

  it("seconds is not listened to when 429 is not listed", () => {
    expect(run({ ...retry, on_status_codes: [503] }, [wanting(5)])).toMatchObject({ waits: [], status: 429, count: 0 });
  });

  it("the timeline of the reference", () => {
    const listed = { attempts: 3, on_status_codes: [408, 429], use_retry_after_headers: true };
    expect(run(listed, [failed.timeout, wanting(5), s503])).toMatchObject({
      waits: [1000, 5000],
      status: 503,
      count: 2,
    });
  });
});

describe("jitter", () => {
  it.each([
    [0, [500, 1000, 2000]],
    [0.5, [750, 1500, 3000]],
    [0.999999, [1000, 2000, 4000]],
  ])("draws %d from the upper half of each wait", (draw, waits) => {
    expect(run({ attempts: 3, jitter: true }, [s503], { draws: [draw] })).toMatchObject({ waits });
  });

  it("leaves alone what an upstream asks for", () => {
    const retry = { attempts: 1, jitter: true, use_retry_after_headers: true };
    expect(run(retry, [wanting(4), s200])).toMatchObject({ waits: [4000] });
  });
});

describe("silence", () => {
  const retry = { attempts: 2, on_status_codes: [408, 503] };

  it.each<[string, readonly Outcome[], boolean, readonly number[], number, number]>([
    ["is retried where there is nobody else", [failed.timeout], false, [1000, 2000], 408, -1],
    ["is not retried before the alternatives", [failed.timeout], true, [], 408, 0],
    ["is not, where not even a connection was", [failed.unreachable], true, [], 503, 0],
    ["is not, after a retry of something else", [s503, failed.timeout], true, [1000], 408, 1],
    ["is not a refused connection", [failed.refused, s200], true, [1000], 200, 1],
    ["is not a 408 of the upstream", [outcome(408), s200], true, [1000], 200, 1],
    ["is not an answer", [s503, s200], true, [1000], 200, 1],
  ])("%s", (_, outcomes, alternatives, waits, status, count) => {
    expect(run(retry, outcomes, { alternatives })).toMatchObject({ waits, status, count });
  });
});

describe("a config", () => {
  it.each<[object, string]>([
    [{}, "attempts"],
    [{ on_status_codes: [429] }, "attempts"],
    [{ attempts: -1 }, "attempts"],
    [{ attempts: 1.5 }, "attempts"],
    [{ attempts: "3" }, "attempts"],
    [{ attempts: 1, on_status_codes: [99] }, "on_status_codes.0"],
    [{ attempts: 1, on_status_codes: ["4xx"] }, "on_status_codes.0"],
    [{ attempts: 1, jitter: "yes" }, "jitter"],
  ])("is refused with %j, naming %s", (retry, path) => {
    const { error } = retryPolicy.safeParse(retry);
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  it("is refused with a key nobody knows", () => {
    expect(retryPolicy.safeParse({ attempts: 1, attempt: 2 }).error?.issues).toMatchObject([
      { code: "unrecognized_keys", keys: ["attempt"] },
    ]);
  });
});
