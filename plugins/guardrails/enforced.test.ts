import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startManagement, supportPlugin, folderOfFile } from "../../test/support/management.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";
