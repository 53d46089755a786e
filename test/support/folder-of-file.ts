import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that several tests of a file share: it goes with their process. */
export function folderOfFile(): string {
  if (folders.length === 0)
    process.once("exit", () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-test-")));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];
