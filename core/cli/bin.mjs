#!/usr/bin/env node
// The product is TypeScript: tsx is registered here, in this process, before the first line of it is imported.
import { register } from "tsx/esm/api";

register();
await import("./main.ts");
