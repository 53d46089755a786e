import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** A folder that several tests of a file share: it goes when all tests have run. */
export function folderOfFile(): string {
  return mkdtempSync(join(inject("folderOfRun"), "file-"));
}
