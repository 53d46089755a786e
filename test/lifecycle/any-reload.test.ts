import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../support/calm.ts";
import { chance } from "../support/chance.ts";
import { walks } from "./reloads/steps.ts";
import { Vendor } from "./reloads/vendor.ts";
import { Walk } from "./reloads/walk.ts";

/** What keeps a process busy. */
const busy = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout" || kind === "TCPSocketWrap").length;

it("answers every request by one config, keeps what is to be kept, and leaves nothing of what is over", async () => {
  // Windows and pauses do not end meanwhile.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-05-05T12:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const vendor = new Vendor();
  await vendor.start();
  await fc.assert(
    fc.asyncProperty(walks, async ([steps, end]) => {
      vendor.calls.splice(0);
      const before = busy();
      const walk = new Walk(vendor);
      await walk.start();
      for (const step of steps) await walk.take(step);
      await walk.end(end);
      await eventually(() => expect(busy()).toBeLessThanOrEqual(before));
    }),
    // A shorter walk would be no easier to read: each step depends on all that were before.
    { ...chance(4, 1), endOnFailure: true },
  );
}, 600_000);
