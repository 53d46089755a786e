import { expect, it, onTestFinished } from "vitest";
import { type Feedback, type LogCondition, LogError, type LogQuery, type LogStore } from "../../core/index.ts";
import { bodyOf, logEntry, logObject } from "../support/log-entries.ts";

/** One more process of a deployment, with its own way to the store they share. */
export type JoinLogs = (retention?: Partial<Retained>) => Promise<{ readonly store: LogStore; close(): Promise<void> }>;

interface Retained {
  readonly objectDays: number;
  readonly rowDays: number;
  readonly maxBytes: number;
  readonly now: () => number;
}

/** Asked for a new, empty store by each test. */
export type LogDeployment = () => Promise<JoinLogs>;

async function joined(join: JoinLogs, retention?: Partial<Retained>): Promise<LogStore> {
  const { store, close } = await join(retention);
  onTestFinished(close);
  return store;
}

async function two(deployment: LogDeployment, retention?: Partial<Retained>) {
  const join = await deployment();
  return { one: await joined(join, retention), other: await joined(join, retention) };
}

const at = (created: number) => new Date(created).toISOString();

const ids = async (store: LogStore, query: Partial<LogQuery> = {}): Promise<string[]> =>
  (await store.find({ organisation: "o", ...query })).rows.map(({ id }) => id);

async function rejectsWith(reason: LogError["reason"], promise: Promise<unknown>): Promise<void> {
  const error = await promise.then(
    () => "it was done",
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LogError);
  expect(error).toMatchObject({ reason });
}

/** What holds of every store of logs. */
export function holdsTheLogsContract(deployment: LogDeployment): void {
  entries(deployment);
  pages(deployment);
  filters(deployment);
  feedback(deployment);
  removal(deployment);
}

function entries(deployment: LogDeployment): void {
  it("keeps an entry whole, for every process, and shows it to its own organisation", async () => {
    const { one, other } = await two(deployment);
    const asked = bodyOf('{ "messages" : [ "ä\\u0000😀" ] }');
    const object = logObject(asked, { bytes: new Uint8Array([0, 255, 1, 254]), truncated: true });
    const entry = logEntry({ id: "a", "metadata.key": ["plan"], "metadata.value": ["pro"], _user: "u" }, object);
    await one.append([entry, logEntry({ id: "row alone" }, undefined, null)]);
    const found = await other.get({ organisation: "o", id: "a" });
    expect(found?.row).toEqual(entry.row);
    expect(found?.workspace).toBe("w1");
    expect(normal(found?.object)).toEqual(normal(object));
    expect(await other.get({ organisation: "o", id: "row alone" })).toEqual({
      workspace: null,
      row: logEntry({ id: "row alone" }).row,
    });
    expect(await other.get({ organisation: "p", id: "a" })).toBeUndefined();
    expect(await other.get({ organisation: "o", id: "b" })).toBeUndefined();
  });

  it("keeps an entry once, however often it is appended, and keeps the rest of the batch", async () => {
    const { one, other } = await two(deployment);
    const object = logObject(bodyOf("{}"), bodyOf("[]"));
    await one.append([logEntry({ id: "a", response_time: 1 }, object)]);
    await Promise.all([
      one.append([logEntry({ id: "a", response_time: 2 }), logEntry({ id: "b" }, object)]),
      other.append([logEntry({ id: "c" }, object), logEntry({ id: "a", response_time: 3 })]),
    ]);
    expect(await ids(one)).toEqual(["c", "b", "a"]);
    expect((await one.get({ organisation: "o", id: "a" }))?.row.response_time).toBe(1);
    expect(await one.count({ organisation: "o" })).toBe(3);
    await one.append([]);
  });

  it("loses nothing that several processes append at once", async () => {
    const { one, other } = await two(deployment);
    const batch = (of: string, round: number) =>
      Array.from({ length: 50 }, (_, n) =>
        logEntry({ id: `${of}-${round}-${n}` }, logObject(bodyOf(of), bodyOf("{}"))),
      );
    await Promise.all(
      [0, 1, 2, 3].flatMap((round) => [one.append(batch("one", round)), other.append(batch("other", round))]),
    );
    expect(await one.count({ organisation: "o" })).toBe(400);
    expect(new Set(await ids(other, { limit: 1000 })).size).toBe(400);
  });

  it("takes any text for organisation, id and metadata", async () => {
    const { one } = await two(deployment);
    const odd = ["a b", "ä/ö", "😀", "'; DROP TABLE rows;--", "$where", "__proto__", "a.b", "%", "x".repeat(5000)];
    await one.append(
      odd.map((text) =>
        logEntry({ id: text, organisation_id: text, trace_id: text, "metadata.key": [text], "metadata.value": [text] }),
      ),
    );
    for (const text of odd) {
      expect(await one.get({ organisation: text, id: text })).toBeDefined();
      const where: LogCondition[] = [
        { metadata: Object.fromEntries([[text, text]]) },
        { column: "trace_id", in: [text] },
      ];
      expect(await ids(one, { organisation: text, where })).toEqual([text]);
    }
  });

  it("refuses an entry that fits no store, and keeps large ones", async () => {
    const { one } = await two(deployment);
    const large = bodyOf("x".repeat(4_000_000));
    await one.append([logEntry({ id: "large" }, logObject(large, bodyOf("y".repeat(4_000_000))))]);
    const found = await one.get({ organisation: "o", id: "large" });
    expect(found?.object?.request.body?.bytes.length).toBe(4_000_000);
    const tooLarge = logObject(bodyOf("x".repeat(8_400_000)), bodyOf("{}"));
    await rejectsWith("invalid", one.append([logEntry({ id: "too large" }, tooLarge)]));
    expect(await ids(one)).toEqual(["large"]);
  });
}

/** Bodies in hexadecimal, wherever they are. */
const normal = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, normal(one)]));
};

function pages(deployment: LogDeployment): void {
  it("gives pages in order, either way, that stay right while entries come", async () => {
    const { one, other } = await two(deployment);
    const moments = [3, 1, 2, 2, 5, 4, 2];
    await one.append(moments.map((moment, n) => logEntry({ id: `${moment}${n}`, created_at: at(moment) })));
    const newest = ["54", "45", "30", "26", "23", "22", "11"];
    expect(await ids(other)).toEqual(newest);
    for (const order of ["newest", "oldest"] as const) {
      const seen: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await other.find({ organisation: "o", order, limit: 2, ...(after !== undefined && { after }) });
        seen.push(...page.rows.map(({ id }) => id));
        after = page.next;
        if (after === undefined) break;
        await one.append([logEntry({ id: `9${order}${seen.length}`, created_at: at(order === "newest" ? 9 : 0) })]);
      }
      expect(seen.filter((id) => !id.startsWith("9"))).toEqual(order === "newest" ? newest : newest.toReversed());
    }
    expect(await ids(other, { from: 1, to: 6, skip: 5 })).toEqual(["22", "11"]);
    expect(await ids(other, { from: 1, to: 6, skip: 2, limit: 2 })).toEqual(["30", "26"]);
  });

  it.each<[string, Partial<LogQuery>]>([
    ["a limit of none", { limit: 0 }],
    ["a limit that is too large", { limit: 1001 }],
    ["a cursor that is none", { after: "x" }],
    ["a cursor of another order", { after: Buffer.from('["oldest",1,"a"]').toString("base64url") }],
    ["no organisation", { organisation: "" }],
    ["a column that is none", { where: [{ column: "content" as "config", in: ["x"] }] }],
    ["a column that is inherited", { where: [{ any: [{ column: "constructor" as "config", in: ["x"] }] }] }],
    ["a text where a number is", { where: [{ column: "cost", in: ["x"] }] }],
    ["bounds of a text", { where: [{ column: "config", min: 1 }] }],
    ["half a moment", { from: 1.5 }],
    ["skipping backwards", { skip: -1 }],
  ])("refuses %s", async (_, query) => {
    const { one } = await two(deployment);
    await rejectsWith("invalid", one.find({ organisation: "o", ...query }));
  });
}

function filters(deployment: LogDeployment): void {
  const kept = [
    logEntry({
      id: "1",
      created_at: at(1000),
      cost: 0.5,
      config: "pc-a",
      "metadata.key": ["k"],
      "metadata.value": ["v"],
    }),
    logEntry(
      { id: "2", created_at: at(2000), cost: 1.5, config_id: "pc-a", _user: "u", ai_org: "anthropic" },
      undefined,
      "w2",
    ),
    logEntry({
      id: "3",
      created_at: at(3000),
      response_status_code: 500,
      ai_model: "o1",
      cache_status: "HIT",
      cost: 0,
    }),
    logEntry(
      { id: "4", created_at: at(4000), req_units: null, total_units: null, trace_id: "t4", api_key_id: "key" },
      undefined,
      null,
    ),
    logEntry({ id: "5", created_at: at(5000), organisation_id: "p" }),
  ];
  it.each<[string, Partial<LogQuery>, string[]]>([
    ["nothing", {}, ["4", "3", "2", "1"]],
    ["another organisation", { organisation: "p" }, ["5"]],
    ["a moment on", { from: 2000 }, ["4", "3", "2"]],
    ["a moment before", { to: 3000 }, ["2", "1"]],
    ["a workspace", { where: [{ column: "workspace", in: ["w1"] }] }, ["3", "1"]],
    ["several values", { where: [{ column: "response_status_code", in: [500, 404] }] }, ["3"]],
    ["no value", { where: [{ column: "config", in: [] }] }, []],
    ["bounds", { where: [{ column: "cost", min: 0.5, max: 1.5 }] }, ["2", "1"]],
    ["a lower bound, and not what is unknown", { where: [{ column: "cost", min: 0 }] }, ["3", "2", "1"]],
    ["an upper bound, and not what is unknown", { where: [{ column: "total_units", max: 100 }] }, ["3", "2", "1"]],
    [
      "one or the other",
      {
        where: [
          {
            any: [
              { column: "config", in: ["pc-a"] },
              { column: "config_id", in: ["pc-a"] },
            ],
          },
        ],
      },
      ["2", "1"],
    ],
    [
      "pairs",
      {
        where: [
          {
            any: [
              {
                all: [
                  { column: "ai_org", in: ["openai"] },
                  { column: "ai_model", in: ["o1"] },
                ],
              },
            ],
          },
        ],
      },
      ["3"],
    ],
    ["metadata", { where: [{ metadata: { k: "v" } }] }, ["1"]],
    ["metadata of a column of its own", { where: [{ metadata: { _user: "u" } }] }, ["2"]],
    ["metadata of which one differs", { where: [{ metadata: { k: "v", _user: "u" } }] }, []],
    [
      "everything together",
      {
        from: 3000,
        where: [
          { column: "trace_id", in: ["t4"] },
          { column: "api_key_id", in: ["key"] },
        ],
      },
      ["4"],
    ],
    ["none of nothing", { where: [{ any: [] }] }, []],
    ["all of nothing", { where: [{ all: [] }] }, ["4", "3", "2", "1"]],
  ])("finds by %s", async (_, query, wanted) => {
    const { one, other } = await two(deployment);
    await one.append(kept);
    expect(await ids(other, query)).toEqual(wanted);
    expect(await other.count({ organisation: "o", ...query })).toBe(wanted.length);
  });
}

const opinion = (id: string, traceId: string, value: number, weight = 1): Feedback => ({
  organisation: "o",
  id,
  workspace: "w1",
  traceId,
  value,
  weight,
  metadata: { _user: "u" },
  createdAt: 1000,
  updatedAt: 1000,
});

function feedback(deployment: LogDeployment): void {
  it("keeps feedback, changes it, and finds rows by its mean", async () => {
    const { one, other } = await two(deployment);
    await one.feedback.put([opinion("a", "t1", 10, 0.5), opinion("b", "t1", -5), opinion("c", "t2", -4)]);
    await one.append(["t1", "t2", "t3"].map((trace_id) => logEntry({ id: trace_id, trace_id })));
    await one.append([logEntry({ id: "stranger", organisation_id: "p", trace_id: "t1" })]);
    expect(await other.feedback.get({ organisation: "o", id: "a" })).toEqual(opinion("a", "t1", 10, 0.5));
    expect(await other.feedback.get({ organisation: "p", id: "a" })).toBeUndefined();
    const found = (mean: { min?: number; max?: number }) => ids(other, { where: [{ feedback: mean }] });
    expect(await found({ min: 0 })).toEqual(["t1"]);
    expect(await found({ max: -4 })).toEqual(["t2"]);
    expect(await found({})).toEqual(["t2", "t1"]);
    await other.feedback.put([{ ...opinion("b", "t1", -10), updatedAt: 2000 }]);
    expect(await one.feedback.get({ organisation: "o", id: "b" })).toMatchObject({ value: -10, updatedAt: 2000 });
    expect(await found({ min: 0 })).toEqual([]);
    expect(await ids(other, { organisation: "p", where: [{ feedback: {} }] })).toEqual([]);
  });
}

const day = 24 * 60 * 60 * 1000;

function removal(deployment: LogDeployment): void {
  it("removes content and rows when their time has come, and nothing else", async () => {
    const now = 1000 * day;
    const { one, other } = await two(deployment, { objectDays: 90, rowDays: 365, now: () => now });
    const ages = [1, 89, 91, 364, 366];
    await one.append(
      ages.map((age) =>
        logEntry({ id: `${age}`, created_at: at(now - age * day) }, logObject(bodyOf("{}"), bodyOf("{}"))),
      ),
    );
    await one.feedback.put([
      { ...opinion("old", "t", 1), createdAt: now - 366 * day },
      { ...opinion("young", "t", 1), createdAt: now - 364 * day },
    ]);
    expect(await one.tend()).toBe(false);
    expect(await ids(other)).toEqual(["1", "89", "91", "364"]);
    const withContent = async (id: string) => (await other.get({ organisation: "o", id }))?.object !== undefined;
    expect(await Promise.all(["1", "89", "91", "364"].map(withContent))).toEqual([true, true, false, false]);
    expect(await other.feedback.get({ organisation: "o", id: "old" })).toBeUndefined();
    expect(await other.feedback.get({ organisation: "o", id: "young" })).toBeDefined();
  });

  it("keeps everything where it is told to", async () => {
    const { one } = await two(deployment, { objectDays: 0, rowDays: 0, now: () => 10_000 * day });
    await one.append([logEntry({ id: "a", created_at: at(1) }, logObject(bodyOf("{}"), bodyOf("{}")))]);
    expect(await one.tend()).toBe(false);
    expect((await one.get({ organisation: "o", id: "a" }))?.object).toBeDefined();
  });

  it("removes the oldest content above a size, some of it at a time, and rows when none is left", async () => {
    const { one } = await two(deployment);
    const body = bodyOf("x".repeat(10_000));
    const batch = (from: number) =>
      Array.from({ length: 300 }, (_, n) =>
        logEntry({ id: `${1000 + from + n}`, created_at: at(from + n) }, logObject(body, bodyOf("{}"))),
      );
    for (const from of [0, 300]) await one.append(batch(from));
    const first = await one.remove({ bytes: 2_000_000 });
    expect(first).toMatchObject({ objects: 500, rows: 0 });
    expect(await one.get({ organisation: "o", id: "1499" })).not.toHaveProperty("object");
    expect(await one.get({ organisation: "o", id: "1500" })).toHaveProperty("object");
    expect(await one.remove({ bytes: 100_000_000 })).toEqual({ objects: 0, rows: 0, more: false });
    expect(await one.remove({ bytes: 1 })).toMatchObject({ objects: 100, rows: 0, more: true });
    expect(await one.remove({ bytes: 1 })).toMatchObject({ objects: 0, rows: 500, more: true });
    expect(await ids(one, { limit: 1000 })).toHaveLength(100);
    expect((await ids(one, { order: "oldest", limit: 1 }))[0]).toBe("1500");
  });
}
