// The product is TypeScript. It is started from a build of itself where there can be one; TypeScript that comes from
// elsewhere, or all of it where there is no build, is run by tsx.
import * as modules from "node:module";
import { builtModules } from "./built.mjs";

const built = await builtModules();
let registered;

/** Called before the first module is imported that is not built. */
async function runTypeScript() {
  const { register } = await import("tsx/esm/api");
  register();
  await registerHooks("./foreign-modules-hook.mjs");
  if (built) await registerHooks("./built-modules-hook.mjs", [...built]);
}

/** Where node runs hooks in the thread they are for, they are there: a thread of their own is on its way out (DEP0205). */
async function registerHooks(path, data) {
  if (!modules.registerHooks) return modules.register(path, { parentURL: import.meta.url, data });
  const { initialize, resolve } = await import(path);
  initialize?.(data);
  modules.registerHooks({ resolve });
}

/** The address a module is to be imported from, once it can be. */
async function addressOf(url) {
  const own = built?.get(url);
  if (own) return own;
  registered ??= runTypeScript();
  await registered;
  return url;
}

// The loader of plugins asks here (core/config/modules.ts).
globalThis[Symbol.for("sluice.modules")] = { addressOf };
if (built) process.setSourceMapsEnabled(true);

/** Imports a module of the product by the address of its source. */
export const importModule = async (url) => import(await addressOf(url));
