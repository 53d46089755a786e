import { expect, it, vi } from "vitest";
import { deliver } from "./deliver.ts";
import { ExchangeState } from "./exchange-state.ts";
import { Leaving } from "./leaving.ts";
import type { Result } from "./reply/result.ts";
import type { ClientConnection, Road } from "./road.ts";

it("records that a client had left before the answer to it was there, and lets go of everything", async () => {
  const leaving = new Leaving();
  const listening = vi.spyOn(leaving, "add");
  const road = { settings: { headerPrefixes: ["x-gateway-"] }, leaving } as unknown as Road;
  const exchange = new ExchangeState({
    endpoint: { type: "proxy", method: "POST", path: "/v1/proxy/*" },
    method: "POST",
    url: "/v1/proxy/x",
    headers: {},
    remoteAddress: undefined,
    headerPrefixes: ["x-gateway-"],
  });
  const witness = { see: vi.fn(), end: vi.fn() };
  const conversation = { begun: "begun", read: vi.fn(), cancel: vi.fn() };
  const target = { path: "config", provider: { name: "openai" } };
  const reply = { status: 200, headers: {}, conversation };
  const result = { kind: "relay", target, outcome: { ok: true, status: 200 }, headers: {}, reply, witness };
  exchange.cancellation.cancel();
  await deliver(road, exchange, result as unknown as Result, { head: vi.fn() } as unknown as ClientConnection);
  expect(exchange.ending).toBe("client-gone");
  expect(witness.end).toHaveBeenCalledWith(false);
  expect(listening).toHaveBeenCalledTimes(1);
  leaving.tell("now");
  expect(conversation.cancel).not.toHaveBeenCalled();
});
