import { logStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { FileBackend } from "../../plugins/logs-file/file-backend.ts";
import { bodyOf, logEntry, logObject } from "./log-entries.ts";
import { say } from "./say.ts";

/** A process that appends batches to a file of logs until it is killed, and prints the batches it was told are kept. */
const [path = "", name = ""] = process.argv.slice(2);
const retention = { objectDays: 0, rowDays: 0 };
const store = logStore(new FileBackend({ path, timeout: 10_000 }), { retention, log: silentLogger });

for (let batch = 0; ; batch++) {
  const entries = Array.from({ length: 20 }, (_, n) => {
    const id = `${name}-${batch}-${n}`;
    return logEntry({ id }, logObject(bodyOf(JSON.stringify({ id })), bodyOf("x".repeat(20_000))));
  });
  await store.append(entries);
  say(`${batch}`);
}
