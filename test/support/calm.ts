import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { TestGateway } from "./gateway.ts";
import { question } from "./raw-client.ts";

/** What keeps a process busy: connections and timers, by kind. */
function busyWith(): Record<string, number> {
  const counts = { TCPSocketWrap: 0, Timeout: 0 };
  for (const kind of process.getActiveResourcesInfo()) if (kind in counts) counts[kind as keyof typeof counts]++;
  return counts;
}

/** Looks again after every turn of the event loop, without a timer that would count itself, until the check passes. */
export async function eventually(check: () => void, milliseconds = 10_000): Promise<void> {
  for (const end = performance.now() + milliseconds; ; await setImmediate()) {
    try {
      return check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

/**
 * Remembers how a gateway is at rest. What it returns waits until the gateway is so again: a healthy request succeeds,
 * no exchange is under way, no connection and no timer is left over, and nothing warned of too many listeners.
 */
export async function restOf(gateway: TestGateway): Promise<() => Promise<void>> {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  await expectHealthy(gateway);
  const before = busyWith();
  return async () => {
    await expectHealthy(gateway);
    await eventually(() => {
      expect(gateway.generation.active).toBe(0);
      const now = busyWith();
      for (const [kind, count] of Object.entries(before)) expect(now[kind], kind).toBeLessThanOrEqual(count);
    });
    expect(warnings).toEqual([]);
  };
}

/** A gateway that answers an ordinary request, on a connection of its own. */
export async function expectHealthy(gateway: TestGateway): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: question("simulator/healthy"),
  });
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ choices: [{ finish_reason: "stop" }] });
}
