import { defineConfig } from "vitest/config";

const rooms = "{core,plugins,providers,test}/**";
const all = [`${rooms}/*.test.ts`];
/**
 * What times a whole deployment in a process: what others left to be collected there must not count. What asks the machine
 * for credentials as providers do, since a process keeps them. And what compares hidden classes: where tests have made objects
 * with names by the thousand, V8 has no room for more classes to be shared.
 */
const alone = [
  "test/{bad-clients,limits}/**/*.test.ts",
  "test/control-plane/outage.test.ts",
  "plugins/secret-references/managers/**/*.test.ts",
  "test/conformance/hidden-classes.test.ts",
];
/** What calls vendors, and what formats and strategies are made of. */
const calling = [
  "core",
  "providers",
  "plugins/{checks,format-*,strategy-*,cache*,circuit-breaker,guardrails,proxy,responses-store,retry,routing,stream-resume}",
  "test/{conformance,end-to-end,faults}",
].map((folder) => `${folder}/**/*.test.ts`);
/** Files share a process, which saves reading and warming the sources for each: they leave nothing behind in it. */
const shared = { isolate: false };
const setupFiles = ["./test/support/between-files.ts"];

export default defineConfig({
  test: {
    globalSetup: "./test/support/folder-of-run.ts",
    pool: "forks",
    maxWorkers: 2,
    // The first test of a process, or a hook before it, reads half the product: on a busy machine for longer than tests take.
    testTimeout: 40_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: ["default", "./test/closing-line.ts"],
    projects: [
      { extends: true, test: { name: "alone", include: alone } },
      { extends: true, test: { name: "calling", include: calling, exclude: alone, ...shared, setupFiles } },
      {
        extends: true,
        test: { name: "managing", include: all, exclude: [...alone, ...calling], ...shared, setupFiles },
      },
      // What `sluice new` writes beside the rooms.
      { extends: true, test: { name: "own", include: ["**/*.test.ts"], exclude: [rooms, "**/node_modules/**"] } },
    ],
  },
});
