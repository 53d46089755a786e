import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../core/cli/explain/explanation.ts";
import { explain } from "../../core/cli/explain.ts";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { environmentOf } from "../../core/config/index.ts";

const gateway = `
plugins:
  auth-open: {}
  routing: {}
  retry: {}
  strategy-fallback: {}
  strategy-priority: {}
  strategy-loadbalance: {}
  strategy-hedge: {}
  format-openai-chat: {}
providers:
${["a", "b", "c", "d"].map((slug) => `  ${slug}: { use: openai, apiKey: key-of-${slug}-0123456789 }`).join("\n")}
`;

const [a, b, c, d] = ["a", "b", "c", "d"].map((slug) => ({ provider: `@${slug}` }));
const retried = (target: object | undefined, attempts: number, on?: number[]) => ({
  ...target,
  retry: { attempts, ...(on && { on_status_codes: on }) },
});
const group = (mode: string, targets: unknown[], more: object = {}) => ({ strategy: { mode, ...more }, targets });
const fallback = (on: number[] | undefined, ...targets: unknown[]) =>
  group("fallback", targets, on && { on_status_codes: on });

async function explained(config: object) {
  const folder = temporaryFolder({
    "gateway.yaml": gateway,
    "request.json": JSON.stringify({ model: "m", messages: [] }),
  });
  const options = { request: join(folder, "request.json"), header: [`x-gateway-config: ${JSON.stringify(config)}`] };
  const told = async (json: boolean) =>
    (await explain(join(folder, "gateway.yaml"), { ...options, json }, { environment: environmentOf({}) })).out;
  return { page: await told(false), route: (JSON.parse(await told(true)) as Explanation).route };
}

/** `a 500`: that target, taken to have answered so; `again` is a retry, `beside 100` a lane that begins so much later. */
async function walked(config: object): Promise<string[]> {
  const { route } = await explained(config);
  return (route?.targets ?? []).map(({ provider, assumedStatus, retry, lane }) =>
    [provider.slug, assumedStatus, ...(retry ? ["again"] : []), ...(lane ? ["beside", lane.afterMs] : [])].join(" "),
  );
}

describe("explain goes on to all targets that could be reached", () => {
  it.each<[string, object, string[]]>([
    ["from everything", fallback(undefined, a, b), ["a 503", "b 503"]],
    ["from a list with 503", fallback([429, 503], a, b), ["a 503", "b 503"]],
    ["from 500", fallback([500], a, b, c), ["a 500", "b 500", "c 503"]],
    ["from 429", fallback([429], a, b), ["a 429", "b 503"]],
    ["from what is no failure", fallback([246], a, b), ["a 246", "b 503"]],
    ["from nothing", fallback([], a, b), ["a 503"]],
    ["by priority", group("priority", [a, { ...b, priority: 1 }], { on_status_codes: [429] }), ["a 429", "b 503"]],
    [
      "of groups in groups, the nearest first",
      fallback([429], fallback([500], a, b), fallback([502], c, d)),
      ["a 500", "b 429", "c 502", "d 503"],
    ],
    ["of the group around one that never goes on", fallback([429], fallback([], a, b), c), ["a 429", "c 503"]],
    ["of a group around a choice", fallback([408], group("loadbalance", [a]), b), ["a 408", "b 503"]],
    ["with retries of that status", fallback([500], retried(a, 1), b), ["a 500", "a 500 again", "b 503"]],
    ["without retries of others", fallback([500], retried(a, 2, [429]), b), ["a 500", "b 503"]],
    [
      "with retries of the last one",
      fallback([500], a, retried(b, 2, [503])),
      ["a 500", "b 503", "b 503 again", "b 503 again"],
    ],
    [
      "from a hedge in a fallback",
      fallback([429], group("hedge", [a, b], { delay: 100 }), c),
      ["a 429", "b 503 beside 100", "c 503"],
    ],
    [
      "of a fallback in a hedge in a fallback",
      fallback([429], group("hedge", [fallback([500], a, b), c, d], { delay: 100 }), retried(a, 1)),
      ["a 500", "c 503 beside 100", "d 503 beside 200", "b 429", "a 503", "a 503 again"],
    ],
    [
      "of a hedge that another one begins with",
      group("hedge", [group("hedge", [a, b], { delay: 100 }), c], { delay: 300 }),
      ["a 503", "b 503 beside 100", "c 503 beside 300"],
    ],
    [
      "of a fallback in a lane",
      group("hedge", [a, fallback([500], b, c)], { delay: 100 }),
      ["a 503", "b 500 beside 100", "c 503 beside 100"],
    ],
  ])("%s", async (_, config, expected) => {
    expect(await walked(config)).toEqual(expected);
  });

  it("however often each of many is tried again", async () => {
    const many = Array.from({ length: 6 }, () => retried(a, 5));
    const { route, page } = await explained(fallback(undefined, ...many));
    expect(route?.cut).toBe(false);
    expect(page).toContain("6 targets, 30 retries");
  });
});

it("says which status is assumed where it is another, and counts retries apart from targets", async () => {
  const { page } = await explained(fallback([500], retried(a, 2, [500]), b));
  expect(page).toMatch(/^route +2 targets, 2 retries +by routing$/m);
  expect(page.match(/^\d\..*$/gm)).toEqual([
    "1. config.targets[0]",
    "1. config.targets[0] (the same target, retry 1)",
    "1. config.targets[0] (the same target, retry 2)",
    "2. config.targets[1]",
  ]);
  expect(page.match(/^ +assumed .*$/gm)).toEqual(
    Array(3).fill("  assumed   to answer 500, which the route moves on from"),
  );
  expect(page).toContain("config.targets[0]  answered 500: config.targets[1] is next");
  expect(page).toContain("the route was told 503, or what is assumed there, to see");
});

it("says nothing of it where it is the usual one", async () => {
  const { page } = await explained(fallback(undefined, a, b));
  expect(page).not.toContain("assumed");
  expect(page).toMatch(/^route +2 targets +by routing$/m);
  expect(page).toContain("the route was told 503, to see");
});

it("tells after how long lanes begin and targets are tried again", async () => {
  const hedge = group("hedge", [retried(a, 2), b, c], { delay: 100 });
  const { page, route } = await explained(fallback([429], hedge, d));
  expect(page.match(/^ +(beside|waits) .*$/gm)).toEqual([
    "  beside    100 ms after it began, for the first good answer",
    "  beside    200 ms after it began, for the first good answer",
    "  waits     1000 ms before",
    "  waits     2000 ms before",
  ]);
  expect(route?.targets.map(({ delayMs, lane }) => delayMs ?? lane?.afterMs)).toEqual([
    undefined,
    100,
    200,
    1_000,
    2_000,
    undefined,
  ]);
});

describe("a group that leads nowhere", () => {
  const off = group("loadbalance", [{ ...b, weight: 0 }]);

  it("is told of behind the targets that come before it", async () => {
    const { page, route } = await explained(fallback([429], a, off));
    expect(route?.targets.map(({ path }) => path)).toEqual(["config.targets[0]"]);
    expect(page).toContain("Where all of them fail, the client gets 400");
    expect(page).toContain("if all fail the client gets that refusal");
  });

  it("is all there is to tell of where nobody comes before it", async () => {
    const { page, route } = await explained(fallback([429], off, a));
    expect(route).toBeUndefined();
    expect(page).toContain("The client gets 400");
  });

  it("ends no lane but its own", async () => {
    const { page, route } = await explained(group("hedge", [a, off, c], { delay: 100 }));
    expect(route?.targets.map(({ path }) => path)).toEqual(["config.targets[0]", "config.targets[2]"]);
    expect(page).toMatch(/has one beside it that cannot be walked: The weights of the targets add up to 0/);
    expect(page).not.toContain("the client gets 400");
  });
});
