import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Feedback, LogError } from "../../core/index.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { nothingUntold, Telling } from "./telling.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const piece = (id: string, value = 1): Feedback => ({
  ...{
    organisation: "o",
    id,
    workspace: "w",
    traceId: "t",
    value,
    weight: 1,
    metadata: {},
    createdAt: 0,
    updatedAt: 0,
  },
});

/** Logs that may be away, and what they were told. */
function logsOf() {
  const told: string[] = [];
  const logs = {
    told,
    away: false,
    feedback: {
      get: async () => undefined,
      async put(said: readonly Feedback[]) {
        if (logs.away) throw new LogError("down", "away");
        if (said.some(({ id }) => id === "bad")) throw new LogError("invalid", "too large");
        told.push(...said.map(({ id, value }) => `${id}: ${value}`));
      },
    },
  };
  return logs;
}

function generation(logs = logsOf(), untold = nothingUntold()) {
  const log = keepingLogger();
  const telling = new Telling({ logs, log, untold });
  telling.serve();
  const said = () => log.lines.filter(({ level }) => level !== "debug").map(({ message }) => message);
  return { logs, untold, telling, said };
}

const soon = () => vi.advanceTimersByTimeAsync(5_000);

it("is told at once", async () => {
  const { logs, telling, said } = generation();
  await telling.tell([piece("a"), piece("b")]);
  expect([logs.told, said()]).toEqual([["a: 1", "b: 1"], []]);
});

it("waits while the logs are away, and is told as it stands when they are back", async () => {
  const { logs, telling, said } = generation();
  logs.away = true;
  await telling.tell([piece("a")]);
  await telling.tell([piece("b")]);
  await telling.tell([piece("a", 9)]);
  await soon();
  expect(logs.told).toEqual([]);
  logs.away = false;
  await soon();
  expect([logs.told, said()]).toEqual([["a: 9", "b: 1"], ["feedback waits for the logs"]]);
});

it("is told by the next config where it is reloaded meanwhile", async () => {
  const { logs, telling, untold, said } = generation();
  logs.away = true;
  await telling.tell([piece("a")]);
  const next = generation(logs, untold);
  await telling.close();
  logs.away = false;
  await soon();
  expect([logs.told, said(), next.said()]).toEqual([["a: 1"], ["feedback waits for the logs"], []]);
});

it("is said to be lost to the logs where the process ends", async () => {
  const { logs, telling, said } = generation();
  logs.away = true;
  await telling.tell([piece("a")]);
  await telling.close();
  expect(said()).toEqual(["feedback waits for the logs", "logs will not be found by some feedback: the gateway ended"]);
});

it("is not held up by a piece that no store takes", async () => {
  const { logs, telling, untold, said } = generation();
  await telling.tell([piece("a"), piece("bad"), piece("b")]);
  expect([logs.told, untold.feedback.size]).toEqual([["a: 1", "b: 1"], 0]);
  expect(said()).toEqual(["logs will not be found by this feedback"]);
});
