import { tryCheck } from "../../core/check-kit/testing.ts";
import { builtInChecks } from "./built-in.ts";

for (const check of await builtInChecks()) tryCheck(check);
