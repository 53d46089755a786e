import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder that holds the folders of all files. */
    folderOfRun: string;
  }
}

/** One folder for all of a run, which goes with it: processes that run tests are ended before they could tidy up. */
export default function folderOfRun(project: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-tests-")));
  project.provide("folderOfRun", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
