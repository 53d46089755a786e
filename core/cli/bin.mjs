#!/usr/bin/env node
// The product is TypeScript: tsx is registered here, in this process, before the first line of it is imported.
import { register as registerHooks } from "node:module";
import { register } from "tsx/esm/api";

register();
registerHooks("./typescript-is-module.mjs", import.meta.url);
await import("./main.ts");
