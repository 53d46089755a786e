import { expect, it } from "vitest";
import type { ClientProcedure } from "../model/client-procedure.ts";
import type { Clocks } from "../model/clocks.ts";
import { clocksOf } from "./clocks-of.ts";

const road = { settings: { clocks: { total: 300_000, idle: 60_000 } } };

const exchange = (headers: Readonly<Record<string, string>> = {}, procedure?: Partial<ClientProcedure>) =>
  ({
    gatewayHeaders: { any: Object.keys(headers).length > 0, get: (name: string) => headers[name] },
    endpoint: { type: "t", method: "GET", path: "/", ...(procedure && { procedure }) },
  }) as unknown as Parameters<typeof clocksOf>[1];

const targeted = (provider: Clocks | undefined, clocks?: Clocks) => ({
  provider: { ...(provider && { clocks: provider }) },
  ...(clocks && { clocks }),
});

it.each<[string, Parameters<typeof clocksOf>[1], Parameters<typeof clocksOf>[2], Clocks]>([
  ["the server's", exchange(), targeted(undefined), { total: 300_000, idle: 60_000 }],
  ["the provider's", exchange(), targeted({ total: 9_000 }), { total: 9_000, idle: 60_000 }],
  ["the target's", exchange(), targeted({ total: 9_000 }, { total: 8_000 }), { total: 8_000, idle: 60_000 }],
  [
    "the request's",
    exchange({ "request-timeout": "700", "idle-timeout": "-1" }),
    targeted({ total: 9_000 }),
    { total: 700, idle: 60_000 },
  ],
  [
    "all but the total where files are moved",
    exchange({ "request-timeout": "700", "idle-timeout": "500" }, { transfers: true }),
    targeted({ total: 9_000 }),
    { total: 0, idle: 500 },
  ],
  ["and there without a word, too", exchange({}, { transfers: true }), targeted(undefined), { total: 0, idle: 60_000 }],
  ["all where files are only asked about", exchange({}, {}), targeted(undefined), { total: 300_000, idle: 60_000 }],
])("the clocks that count are %s", (_, asked, target, clocks) => {
  expect(clocksOf(road, asked, target)).toEqual(clocks);
});
