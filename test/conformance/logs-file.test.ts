import { join } from "node:path";
import { describe } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { logStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { FileBackend } from "../../plugins/logs-file/file-backend.ts";
import { holdsTheLogsContract, type JoinLogs } from "./logs.ts";

async function deployment(): Promise<JoinLogs> {
  const path = join(temporaryFolder({}), "logs.db");
  return async ({ now = Date.now, ...limits } = {}) => {
    const backend = new FileBackend({ path, timeout: 10_000 });
    const retention = { objectDays: 90, rowDays: 365, ...limits };
    return { store: logStore(backend, { retention, log: silentLogger, now }), close: () => backend.close() };
  };
}

describe("logs-file", () => holdsTheLogsContract(deployment));
