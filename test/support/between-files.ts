import { afterAll, vi } from "vitest";

// Files share a process: what one of them turned into a stand-in is real again before the next.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
