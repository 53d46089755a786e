import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";

const configured = (grace: number, closeTimeout: number) =>
  JSON.stringify({
    server: { hookDeadline: 20, shutdown: { grace } },
    plugins: { "auth-open": {}, "logs-file": {}, "request-log": { closeTimeout } },
  });

it("a stop may take as long as the config in use gives plugins and requests", async () => {
  const gateway = await startTestGateway(configured(1_000, 5_000));
  const before = gateway.stopsWithin(0);
  expect(gateway.stopsWithin(300) - before).toBe(300);
  gateway.write(configured(61_000, 9_000));
  expect(await gateway.reload()).toBe(true);
  expect(gateway.stopsWithin(0) - before).toBe(60_000 + 2 * 4_000);
});
