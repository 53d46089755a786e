#!/usr/bin/env node
import { importModule } from "../modules/modules.mjs";

await importModule(new URL("./main.ts", import.meta.url).href);
