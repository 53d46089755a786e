import type { Reporter, TestModule } from "vitest/node";

/** Ends the output with one line that says how it went: `123 passed, 0 failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    let broken = 0;
    for (const module of modules) {
      if (module.state() === "failed" && ![...module.children.allTests("failed")].length) broken++;
      for (const test of module.children.allTests()) counts[test.result().state]++;
    }
    const failed = counts.failed + counts.pending + broken;
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.on("exit", () => process.stdout.write(`\n${counts.passed} passed, ${failed} failed${skipped}\n`));
  }
}
