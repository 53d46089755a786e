import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, onTestFinished } from "vitest";
import { recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { FileBackend } from "../../plugins/records-file/file-backend.ts";
import { holdsTheRecordsContract } from "./records.ts";
import type { Join } from "./records-deployment.ts";
import { holdsTheRecordsContractOverTime } from "./records-over-time.ts";

async function deployment(): Promise<Join> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return async (now) => {
    const backend = new FileBackend({ path: join(folder, "records.db"), timeout: 10_000, pollInterval: 10 });
    const store = recordStore(backend, silentLogger, now);
    return {
      store,
      async close() {
        store.close();
        await backend.close();
      },
    };
  };
}

describe("records-file", () => {
  holdsTheRecordsContract(deployment);
  holdsTheRecordsContractOverTime(deployment);
});
