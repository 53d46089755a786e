import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { GatewayError, type OutboundAnswer, type OutboundRequest } from "../../../core/index.ts";
import { keepingLogger } from "../../../test/support/gateway.ts";
import { PriceBook } from "../lookup/price-book.ts";
import { pricingOptions } from "../options.ts";
import { exchangeAt, payAsYouGo } from "../testing.ts";
import { PriceLoader } from "./loading.ts";
import { PriceProxy } from "./proxy.ts";
import { type FetchedLists, isPriceSource, priceSource } from "./sources.ts";

const list = (price: number) => JSON.stringify({ m: { pricing_config: payAsYouGo({ request_token: price }) } });
const hour = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Start {
  readonly sources: readonly string[];
  readonly proxy?: string;
  readonly answer?: (request: OutboundRequest) => Partial<OutboundAnswer>;
  /** What answers wait for. */
  readonly slow?: (request: OutboundRequest) => Promise<void>;
  readonly fetched?: FetchedLists;
}

function start({ sources, proxy, answer = () => ({}), slow, fetched = new Map() }: Start) {
  const asked: OutboundRequest[] = [];
  const log = keepingLogger();
  const folder = mkdtempSync(join(tmpdir(), "sluice-prices-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const book = new PriceBook(
    pricingOptions.parse({}),
    () => undefined,
    () => false,
  );
  const ask = async (request: OutboundRequest) => {
    asked.push(request);
    await slow?.(request);
    return { status: 200, headers: {}, text: "", ...answer(request) };
  };
  const parts = { folder, ask, log, fetched };
  const proxies = proxy === undefined ? [] : [new PriceProxy({ url: proxy, vendors: ["acme"] }, parts)];
  const loader = new PriceLoader({
    book,
    catalogue: false,
    sources: [...proxies, ...sources.map((source) => priceSource(source, parts))],
    before: [...proxies.map(({ before }) => before), ...sources.map((source) => fetched.get(source)?.vendors)],
    log,
  });
  onTestFinished(() => loader.close());
  /** Cents of a token; undefined where nobody knows. */
  const price = (provider = "acme") => {
    const { receivedAt } = exchangeAt("2026-01-01T00:00:00Z");
    const found = book.prices({ provider: { name: provider, slug: provider } as never, model: "m" }).at(receivedAt);
    const cents = found?.tariff.cents({ inputTokens: 1 });
    return cents && Number(cents.over) / Number(cents.under);
  };
  return { loader, book, asked, log, folder, fetched, price };
}

const url = "https://prices.example/v1/acme.json";

describe("price lists of the operator's", () => {
  it("are read from folders, files and addresses, of which the first one counts", async () => {
    const { loader, folder, price } = start({
      sources: ["lists", "beta.json", url, "https://prices.example/pricing/beta"],
      answer: ({ url: from }) => ({ text: list(from.endsWith("beta") ? 9 : 3) }),
    });
    mkdirSync(join(folder, "lists"));
    writeFileSync(join(folder, "lists", "acme.json"), list(1));
    writeFileSync(join(folder, "lists", "broken.json"), "{");
    writeFileSync(join(folder, "beta.json"), list(2));
    await loader.ready();
    expect([price("acme"), price("beta"), price("gamma")]).toEqual([1, 2, undefined]);
  });

  it("do without an entry that is none, in a file and at an address, and say so once", async () => {
    const wrong = payAsYouGo({ request_token: -1 });
    const text = JSON.stringify({ w: { pricing_config: wrong }, ...JSON.parse(list(1)), x: { pricing_config: wrong } });
    const { loader, folder, log, price } = start({ sources: ["beta.json", url], answer: () => ({ text }) });
    writeFileSync(join(folder, "beta.json"), text);
    await loader.ready();
    expect([price("acme"), price("beta")]).toEqual([1, 1]);
    const told = { level: "warn", fields: { models: 2, model: "w", error: expect.any(RangeError) } };
    expect(log.lines).toMatchObject([told, told]);
  });

  it("are waited for so long, and count when they are there: requests are billed by what is known meanwhile", async () => {
    let arrive: undefined | (() => void);
    const { loader, price, log } = start({
      sources: [url, "https://prices.example/v1/beta.json"],
      answer: ({ url: from }) => ({ text: list(from === url ? 3 : 2) }),
      slow: async ({ url: from }) => {
        if (from === url)
          await new Promise<void>((resolve) => {
            arrive = resolve;
          });
      },
    });
    const ready = loader.ready();
    await vi.advanceTimersByTimeAsync(20_000);
    await ready;
    expect([loader.ready(), price("acme"), price("beta")]).toEqual([undefined, undefined, 2]);
    expect(log.lines.map(({ message }) => message)).toEqual([expect.stringMatching(/slow/)]);
    arrive?.();
    await vi.waitFor(() => expect(price("acme")).toBe(3));
  });

  it("are those of the proxy first, which is asked for each vendor", async () => {
    let fails = false;
    const answer = ({ url: from }: OutboundRequest) =>
      fails ? { status: 503 } : from.endsWith("/pricing/acme") ? { text: list(7) } : { status: 404 };
    const first = start({ sources: ["beta.json"], proxy: "https://proxy.example/data/", answer });
    writeFileSync(join(first.folder, "beta.json"), list(2));
    await first.loader.ready();
    expect([first.price("acme"), first.price("beta")]).toEqual([7, 2]);
    expect(first.asked.map((one) => one.url)).toContain("https://proxy.example/data/pricing/openai");
    expect(first.log.lines).toEqual([]);
    // What it gave outlives a reload while it is away.
    fails = true;
    const { fetched } = first;
    const second = start({ sources: [], proxy: "https://proxy.example/data", answer, fetched });
    await second.loader.ready();
    expect(second.price("acme")).toBe(7);
    expect(second.log.lines).toMatchObject([{ level: "warn", fields: { source: "https://proxy.example/data" } }]);
  });

  it("of a proxy that gave only some of them are asked for again soon", async () => {
    let busy = true;
    const answer = ({ url: from }: OutboundRequest) =>
      from.endsWith("/acme") ? (busy ? { status: 429 } : { text: list(7) }) : { status: 404 };
    const { loader, price } = start({ sources: [], proxy: "https://proxy.example/data", answer });
    loader.keepFresh(24 * hour);
    await loader.ready();
    expect(price("acme")).toBeUndefined();
    busy = false;
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(price("acme")).toBe(7);
  });

  it("of a proxy that has none at all are missed, and that is said", async () => {
    const { loader, log } = start({
      sources: [],
      proxy: "https://proxy.example/daat",
      answer: () => ({ status: 404 }),
    });
    await loader.ready();
    expect(log.lines).toMatchObject([{ level: "warn", fields: { source: "https://proxy.example/daat" } }]);
  });

  it.each([
    ["as a whole", { proxy: "https://me:very-secret@proxy.example/data" }, () => true],
    ["in part", { proxy: "https://me:very-secret@proxy.example/data" }, (from: string) => from.endsWith("/acme")],
    ["of a source", { sources: ["https://me:very-secret@proxy.example/acme.json?token=very-secret"] }, () => true],
  ])("that fail are told of without the credentials of their address: %s", async (_, given, fails) => {
    const answer = ({ url: from }: OutboundRequest) => ({ status: fails(from) ? 503 : 404 });
    const { loader, log } = start({ sources: [], ...given, answer });
    await loader.ready();
    expect(log.lines.length).toBeGreaterThan(0);
    const told = log.lines.map(({ message, fields }) => `${message} ${fields?.source} ${fields?.error}`).join("\n");
    expect(told).toContain("proxy.example");
    expect(told).not.toContain("very-secret");
  });

  it.each<[object, RegExp]>([
    [{ enabled: true }, /missing: say which address/],
    [{ url: "https://proxy.example/?a=b" }, /no query/],
    [{ url: "http://proxy.example" }, /https:/],
  ])("of a proxy need its address: %j", (proxy, message) => {
    const { error } = pricingOptions.safeParse({ proxy });
    expect(error?.issues[0]?.message).toMatch(message);
  });

  it("are asked for by the rules for outbound addresses, within bounds", async () => {
    const { loader, asked } = start({ sources: [url], answer: () => ({ text: list(1) }) });
    await loader.ready();
    expect(asked).toMatchObject([{ method: "GET", url, trusted: false, timeout: 30_000, mostBytes: 32 * 1024 * 1024 }]);
  });

  it("are read again after a day, and sent only where they have changed", async () => {
    let etag = '"1"';
    const { loader, asked, price } = start({
      sources: [url],
      answer: ({ headers }) =>
        headers?.["if-none-match"] === etag
          ? { status: 304 }
          : { text: list(etag === '"1"' ? 1 : 2), headers: { etag } },
    });
    loader.keepFresh(24 * hour);
    await loader.ready();
    await vi.advanceTimersByTimeAsync(23 * hour);
    expect([asked.length, price()]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(hour);
    expect([asked.length, asked[1]?.headers?.["if-none-match"], price()]).toEqual([2, '"1"', 1]);
    etag = '"2"';
    await vi.advanceTimersByTimeAsync(24 * hour);
    expect([asked.length, price()]).toEqual([3, 2]);
    loader.close();
    await vi.advanceTimersByTimeAsync(100 * hour);
    expect(asked).toHaveLength(3);
  });

  it.each<[string, () => Partial<OutboundAnswer>]>([
    ["cannot be reached", () => fail()],
    ["answers an error", () => ({ status: 503 })],
    ["answers something else", () => ({ text: "<html>" })],
    ["answers no list", () => ({ text: "[]" })],
  ])("stay as they were where a source %s", async (_, trouble) => {
    let well = true;
    const { loader, log, price } = start({ sources: [url], answer: () => (well ? { text: list(1) } : trouble()) });
    loader.keepFresh(24 * hour);
    await loader.ready();
    well = false;
    await vi.advanceTimersByTimeAsync(24 * hour);
    expect(price()).toBe(1);
    expect(log.lines).toMatchObject([{ level: "warn", message: expect.stringContaining("stay as they were") }]);
    well = true;
    await vi.advanceTimersByTimeAsync(24 * hour);
    expect([price(), log.lines.length]).toEqual([1, 1]);
  });

  it("are asked for again soon where there are none yet", async () => {
    let well = false;
    const { loader, price, log } = start({ sources: [url], answer: () => (well ? { text: list(1) } : fail()) });
    loader.keepFresh(24 * hour);
    await loader.ready();
    expect([price(), log.lines.length]).toEqual([undefined, 1]);
    well = true;
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(price()).toBe(1);
  });

  it("outlive a reload whose first look at an address fails", async () => {
    const fetched: FetchedLists = new Map();
    await start({ sources: [url], answer: () => ({ text: list(1) }), fetched }).loader.ready();
    const { loader, price } = start({ sources: [url], answer: () => fail(), fetched });
    await loader.ready();
    expect(price()).toBe(1);
  });

  it.each([
    ["prices", true],
    ["/etc/prices/openai.json", true],
    ["https://prices.example/openai.json", true],
    ["http://prices.example/openai.json", false],
    ["ftp://prices.example/openai.json", false],
    ["https://", false],
    ["", false],
  ])("may be at %j: %s", (source, may) => expect(isPriceSource(source)).toBe(may));
});

function fail(): never {
  throw new GatewayError("upstream_unreachable", "prices.example cannot be reached.");
}
