import { expect } from "vitest";
import type { LogRow } from "../../core/index.ts";
import type { Session, Told } from "./session.ts";
import type { Walk } from "./walk.ts";
import { often, type World } from "./world.ts";

/** What nobody told is not nothing: it is not known. */
const wanted = ({ event, status, tokens, isUnpriced }: Told) => ({
  event,
  status,
  tokens: typeof tokens === "number" ? tokens : null,
  cost: typeof tokens === "number" && !isUnpriced ? tokens : null,
});

const shown = (row: LogRow) => ({
  event: row.span_name,
  status: row.response_status_code,
  tokens: row.total_units,
  cost: row.cost,
});

const sorted = (all: readonly object[]): string[] => all.map((one) => JSON.stringify(one)).sort();

/** What had begun when it was closed, and nobody ended: how much that used is not known. */
function brokeOff({ answering, ended, isUnpriced }: Session): Told[] {
  const status = ended?.by === "client" ? 499 : 200;
  return [...answering].map(() => ({ event: "response.created", status, tokens: "unknown", isUnpriced }));
}

/** What happened on a session is recorded, and in the log of the process, each of it once. */
export async function checkRecords(world: World, session: Session): Promise<void> {
  const { trace, told: all, refused, reception } = session;
  const told = [...all, ...brokeOff(session)];
  const count = told.length + (refused === undefined ? 0 : 1);
  await expect.poll(async () => (await world.rows(trace)).length, often).toBeGreaterThanOrEqual(count);
  const rows = await world.rows(trace);
  const isEvent = ({ span_name }: LogRow) => span_name !== null;
  expect(sorted(rows.filter(isEvent).map(shown))).toEqual(sorted(told.map(wanted)));
  const others = rows.filter((row) => !isEvent(row)).map(({ response_status_code: status }) => status);
  expect(others, `${trace} ${reception}`).toEqual(refused === undefined ? [] : [refused || 499]);
  const lines = world.lines.filter((line) => line.role === "turn" && line.trace === trace);
  expect(lines.map(({ event }) => event).sort()).toEqual(told.map(({ event }) => event).sort());
}

/** Each session is in the log of the process once, with how it ended. */
export function checkLines(world: World, { callers, sessions }: Walk): void {
  for (const { id } of callers) {
    const lines = world.lines.filter(({ role, who }) => role === undefined && who === id);
    const own = sessions.filter(({ caller }) => caller.id === id);
    expect(sorted(lines.map(({ status, ending }) => [status, ending]))).toEqual(sorted(own.map(endingOf)));
  }
}

const endingOf = ({ refused, ended }: Session): readonly unknown[] => {
  if (refused === 0) return [499, "client-gone"];
  return refused === undefined ? [101, ended?.ending] : [refused, "error"];
};

export async function checkBudgets(world: World, { callers, sessions, spent }: Walk): Promise<void> {
  for (const { id } of callers) {
    const own = sessions.filter(({ caller }) => caller.id === id);
    const events = own.flatMap(({ told }) => told);
    const tokens = events.reduce((sum, { tokens }) => sum + (typeof tokens === "number" ? tokens : 0), 0);
    expect(tokens).toBe(spent.get(id) ?? 0);
    expect(await world.counted("tokens", id)).toBe(tokens);
    const priced = events.filter(({ isUnpriced }) => !isUnpriced);
    const cents = priced.reduce((sum, { tokens }) => sum + (typeof tokens === "number" ? tokens : 0), 0);
    expect(Math.round((await world.counted("cost", id)) * 100)).toBe(cents);
    const called = own.filter(
      ({ refused, reception }) => refused === undefined || (refused === 500 && reception === "refuses"),
    );
    expect(await world.counted("requests", id)).toBe(called.length);
  }
}
