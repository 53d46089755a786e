import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSkeleton } from "./new/check.ts";
import { importsFrom } from "./new/imports.ts";
import { create, type Kind } from "./new.ts";
import { temporaryFolder } from "./testing.ts";

const run = promisify(execFile);
const kinds = ["provider", "plugin", "check"] as const;
const root = process.cwd();

it.each(["", "Acme", "1acme", "ac me", "../acme", "acme.ts"])("refuses the name %j", async (name) => {
  const folder = temporaryFolder();
  expect(await create("provider", name, { dir: folder })).toMatchObject({ exitCode: 1, out: "" });
});

it("never writes over a file, nor half of a skeleton", async () => {
  const folder = temporaryFolder({ "acme.test.ts": "mine" });
  const result = await create("provider", "acme", { dir: folder });
  expect(result.exitCode).toBe(1);
  expect(result.err).toMatch(/acme\.test\.ts: there already; nothing was written\n$/);
  expect(existsSync(join(folder, "acme.ts"))).toBe(false);
  expect(readFileSync(join(folder, "acme.test.ts"), "utf8")).toBe("mine");
});

it("tells that there is no such folder", async () => {
  expect((await create("check", "acme", { dir: "/nowhere" })).err).toBe("There is no folder /nowhere\n");
});

// A link that leads nowhere stands where the folder would be made, which stops everybody, root as well.
it("tells that nothing can be written", async () => {
  const folder = temporaryFolder();
  symlinkSync(join(folder, "nowhere", "acme"), join(folder, "acme"));
  const { exitCode, err } = await create("plugin", "acme", { dir: folder });
  expect(exitCode).toBe(1);
  expect(err).toMatch(/^Nothing can be written in .* \(E[A-Z]+\); --dir names another folder\n$/);
});

it("prints the lines to paste", async () => {
  const folder = temporaryFolder();
  const { out } = await create("provider", "acme-labs", { dir: folder });
  expect(out).toContain("providers:\n  acme-labs: { use: ./acme-labs.ts, apiKey: ${ACME_LABS_API_KEY} }\n");
  expect(readFileSync(join(folder, "acme-labs.ts"), "utf8").split("\n").length).toBeLessThanOrEqual(15);
  const plugin = await create("plugin", "mine", { dir: folder });
  expect(plugin.out).toContain("plugins:\n  mine: { use: ./mine/index.ts, models: [old-model] }\n");
});

it.each([
  [true, "    calm: {}\n"],
  [false, ", with paths relative to it:\n  plugins:\n    calm: { use: ./calm.ts }\n"],
])("names a check as the config file does, among the product's own plugins %s", (builtIn, lines) => {
  const { next } = checkSkeleton({ name: "calm", builtIn, importing: (specifier) => specifier });
  expect(next).toContain(lines);
});

it("imports what is found from where the skeleton stands", () => {
  expect(importsFrom(join(root, "providers"))("sluice/provider-kit")).toBe("../core/provider-kit/index.ts");
  expect(importsFrom(join(root, "plugins"))("sluice")).toBe("../core/index.ts");
  expect(importsFrom(root.replace(/\/$/, ""))("sluice")).toBe("./core/index.ts");
  expect(importsFrom("/")("sluice")).toBe(`.${join(root, "core/index.ts")}`);
});

/** A project that has the gateway installed, and a folder that has nothing: both are where skeletons are written. */
describe("a fresh skeleton", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-new-")));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const places = ["installed", "bare"] as const;

  beforeAll(async () => {
    for (const place of places) mkdirSync(join(home, place, "node_modules"), { recursive: true });
    symlinkSync(root, join(home, "installed/node_modules/sluice"));
    for (const place of places) for (const kind of kinds) await written(place, kind);
  });

  const written = async (place: string, kind: Kind) => {
    const result = await create(kind, `my-${kind}`, { dir: join(home, place) });
    expect(result).toMatchObject({ exitCode: 0, err: "" });
  };

  it("imports the package where it is installed, and the files of the gateway where it is not", () => {
    const source = (place: string) => readFileSync(join(home, place, "my-provider.ts"), "utf8");
    expect(source("installed")).toContain('from "sluice/provider-kit";');
    const [, path = ""] = /from "(\.[^"]+)"/.exec(source("bare")) ?? [];
    expect(resolve(home, "bare", path)).toBe(join(root, "core/provider-kit/index.ts"));
  });

  it("passes its own tests", async () => {
    const { stdout } = await run(
      process.execPath,
      [
        join(root, "node_modules/vitest/vitest.mjs"),
        "run",
        "--root",
        home,
        "--reporter",
        "json",
        "--testTimeout",
        "40000",
      ],
      { cwd: root },
    );
    const report = JSON.parse(stdout.slice(stdout.indexOf("{"))) as Record<string, unknown>;
    expect(report).toMatchObject({ success: true, numFailedTests: 0 });
    expect(report.testResults).toHaveLength(kinds.length * places.length);
  }, 180_000);

  it.each([
    ["as strictly as the gateway does", {}],
    ["in projects that are strict and no more", { noUncheckedIndexedAccess: false, exactOptionalPropertyTypes: false }],
  ])(
    "type-checks %s",
    async (_, options) => {
      writeFileSync(join(home, "package.json"), '{ "type": "module" }');
      const modules = join(root, "node_modules");
      const compilerOptions = {
        ...options,
        typeRoots: [join(modules, "@types")],
        paths: { vitest: [join(modules, "vitest/dist/index.d.ts")] },
      };
      const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: places };
      writeFileSync(join(home, "tsconfig.json"), JSON.stringify(config));
      const checked = run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", home], {
        cwd: root,
      });
      await expect(checked.catch(({ stdout }: { stdout: string }) => stdout)).resolves.toMatchObject({ stdout: "" });
    },
    180_000,
  );
});
