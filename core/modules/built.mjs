// Starting from some hundred TypeScript files takes over a second: every one of them is read and transformed by itself.
// So the sources are built into a few JavaScript files once, beside the installed packages, and started from there until
// a source changes. Where nothing can be written, the sources are run as they are (decision 0020).
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const rooms = ["core", "plugins", "providers"];
const isSource = (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith("testing.ts");

/** @returns {string[]} All sources, relative to the root. */
function sources() {
  const found = [];
  const look = (folder) => {
    for (const entry of readdirSync(`${root}${folder}`, { withFileTypes: true }))
      if (entry.isDirectory()) look(`${folder}/${entry.name}`);
      else if (entry.isFile() && isSource(entry.name)) found.push(`${folder}/${entry.name}`);
  };
  for (const room of rooms) if (existsSync(join(root, room))) look(room);
  return found.sort();
}

/** What is imported by its path: the commands, what others may import, every plugin and provider, and what threads run. */
const isEntry = (file) =>
  /^core\/(?:index|provider-kit\/index|sqlite-kit\/(?:reader|writer)-thread|cli\/main|cli\/bench\/(?:gateway|relay|upstream))\.ts$/.test(
    file,
  ) ||
  /^plugins\/[^/]+\/writes\.ts$/.test(file) ||
  /^(?:plugins|providers)\/(?:[^/]+\/index|[^/]+)\.ts$/.test(file);

/** Changes whenever a source does, or what builds them. */
function keyOf(files, esbuildVersion) {
  const hash = createHash("sha256").update(`${process.version} ${esbuildVersion}`);
  for (const file of ["core/modules/built.mjs", ...files]) {
    const { mtimeMs, size } = statSync(`${root}${file}`);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** Modules find files beside them by their own address: they keep the one of their source. */
const ownAddress = {
  name: "own-address",
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes("import.meta.url")) return undefined;
      return { contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)), loader: "ts" };
    });
  },
};

async function build(files, folder) {
  const { build: run } = await import("esbuild");
  // Built aside and put in its place at once: several processes may start together.
  const aside = `${folder}.${randomUUID()}`;
  try {
    await run({
      absWorkingDir: root,
      entryPoints: files.filter(isEntry),
      outdir: aside,
      outbase: root,
      bundle: true,
      splitting: true,
      // Constants become numbers where they are used: one that is read from another module takes a load every time.
      minifySyntax: true,
      packages: "external",
      format: "esm",
      platform: "node",
      target: "node20",
      // Every node of that version knows them. Written as calls they would be compiled at every use.
      supported: { "regexp-unicode-property-escapes": true },
      sourcemap: "linked",
      sourcesContent: false,
      logLevel: "silent",
      plugins: [ownAddress],
    });
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Somebody else was faster.
    if (!existsSync(folder)) throw error;
  }
}

const week = 7 * 24 * 60 * 60 * 1000;

/** Says that a build is in use, which its age alone would not tell. One that cannot be written is not swept either. */
function touch(folder) {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
  } catch {}
}

/** Removes what nobody has started from for long: processes may still run from, and load more of, what is younger. */
function sweep(cache) {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    // Somebody else may be sweeping, too.
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found && Date.now() - found.mtimeMs > week) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The built modules by the address of their source; undefined where the sources have to be run as they are.
 * @returns {Promise<Map<string, string> | undefined>}
 */
export async function builtModules() {
  if (process.env.SLUICE_RUN_SOURCES === "1") return undefined;
  try {
    const files = sources();
    const { version } = createRequire(import.meta.url)("esbuild/package.json");
    const key = keyOf(files, version);
    const cache = join(root, "node_modules/.cache/sluice");
    const folder = join(cache, key);
    if (!existsSync(folder)) {
      mkdirSync(dirname(folder), { recursive: true });
      await build(files, folder);
      sweep(cache);
    } else touch(folder);
    return new Map(
      files
        .filter(isEntry)
        .map((file) => [
          pathToFileURL(join(root, file)).href,
          pathToFileURL(join(folder, file.replace(/\.ts$/, ".js"))).href,
        ]),
    );
  } catch {
    return undefined;
  }
}
