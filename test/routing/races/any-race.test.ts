import fc from "fast-check";
import { expect, it } from "vitest";
import { chance } from "../../support/chance.ts";
import { type Heard, type Line, RaceDeployment } from "./race-deployment.ts";
import { type Called, type Ended, type Predicted, RaceModel } from "./race-model.ts";
import { configOf, leafAt, races, raceTrees } from "./race-trees.ts";
import { piecesOf, saidIn, wholeOf } from "./race-vendor.ts";

const scenarios = fc.record({
  tree: raceTrees,
  isStreamed: fc.boolean(),
  mayResume: fc.boolean(),
  leavesAfter: fc.option(
    fc.constantFrom(17, 500, 1_600, 4_800).chain((base) => fc.nat(150).map((more) => base + more)),
    { nil: undefined, freq: 3 },
  ),
});

it("targets that run side by side are asked, given up and recorded as their strategies say", async () => {
  const deployment = await RaceDeployment.start();
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ tree, isStreamed, mayResume, leavesAfter }) => {
      const resumes = mayResume && !races(tree);
      const predicted = await new RaceModel(isStreamed, resumes).predict(tree, leavesAfter);
      fc.pre(!predicted.isClose);
      const config = { ...configOf(tree), ...(resumes && { stream_resume: "restart" }) };
      const behaviourOf = ({ path, number }: { path: string; number: number }) => {
        const { script } = leafAt(tree, path);
        return script[number % script.length];
      };
      const { heard, seen, lines } = await deployment.ask(config, isStreamed, behaviourOf, leavesAfter);
      const all = [...predicted.calls, ...predicted.copies.flat()];
      expect(byStart(seen)).toEqual(byStart(all.map(({ status: _, retry: __, ...call }) => call)));
      expectHeard(heard, predicted, isStreamed);
      expectLines(lines, predicted);
      expect(deployment.timers()).toEqual([]);
      expect(await deployment.healthy()).toBe(200);
    }),
    chance(60),
  );
});

const byStart = <Call extends { readonly from: number; readonly path: string }>(calls: readonly Call[]): Call[] =>
  calls.toSorted((one, other) => one.from - other.from || one.path.localeCompare(other.path));

function expectHeard(heard: Heard | undefined, { ended, at, shown }: Predicted, isStreamed: boolean): void {
  if (!ended) return void expect(heard).toBeUndefined();
  if (shown.length > 0) return expectShown(heard, shown, ended, at);
  const { call, behaviour, status, retries } = ended;
  expect(heard).toMatchObject({
    at,
    status,
    headers: { "x-gateway-last-used-option-index": call.path, "x-gateway-retry-attempt-count": `${retries}` },
  });
  const text = heard?.text ?? "";
  const said = saidIn(call);
  if (status !== 200) {
    const isVendors = behaviour.kind === "refuses" && status === behaviour.status;
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining(isVendors ? said : "") } });
  } else if (!isStreamed) expect(text).toBe(wholeOf(said));
  else if (behaviour.kind === "well") expect(text).toBe(piecesOf(said).join(""));
  else {
    expect(text.startsWith(piecesOf(said)[0])).toBe(true);
    expect(text).toMatch(/"error":\{/);
    expect(text).not.toContain("[DONE]");
  }
}

const restart = 'event: gateway-restart\ndata: {"type":"gateway_restart"}\n\n';

/** Streams in place of each other: never pieces of two without a word, and an end that only a whole one has. */
function expectShown(heard: Heard | undefined, shown: readonly Called[], { status }: Ended, at: number): void {
  expect(heard).toMatchObject({ at, status: 200, headers: { "x-gateway-last-used-option-index": shown[0]?.path } });
  const streams = (heard?.text ?? "").split(restart);
  expect(streams.map(contentIn)).toEqual(shown.map(saidIn));
  const last = streams.pop() ?? "";
  for (const stream of streams) expect(stream).not.toMatch(/"error":|\[DONE\]/);
  if (status === 200) expect(last).toMatch(/"finish_reason":"stop".*\[DONE\]\n\n$/s);
  else expect(last).toMatch(/"error":\{(?!.*\[DONE\])/s);
}

const contentIn = (stream: string): string =>
  [...stream.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join("");

function expectLines(lines: readonly Line[], { calls, copies, ended, shown }: Predicted): void {
  const own = lines.filter(({ role }) => role === undefined);
  expect(own.map(({ calls }) => told(calls))).toEqual([foretold(calls)]);
  const isCut = ended && ended.call.status !== 200 && (ended.status === 200 || shown.length > 0);
  const ending = !ended ? "client-gone" : isCut ? "truncated" : ended.status === 200 ? "complete" : "error";
  expect(own[0]?.ending).toBe(ending);
  const order = (texts: readonly string[][]) => texts.map((one) => one.join("\n")).toSorted();
  const shadows = lines.filter(({ role }) => role === "shadow").map((line) => told(line.calls));
  expect(order(shadows)).toEqual(order(copies.map(foretold)));
}

const foretold = (calls: readonly Called[]): string[] =>
  calls.map(({ path, retry, from, status }) => `${path} ${from} ${retry} ${status}`).toSorted();

/** A call that nobody waits for any more has the status of a client that has left, whoever has given it up. */
const told = (calls: Line["calls"]): string[] =>
  calls
    .map(
      ({ path, retry = false, startedAt, status }) =>
        `${path} ${startedAt} ${retry} ${status === 499 ? "given up" : status}`,
    )
    .toSorted();
