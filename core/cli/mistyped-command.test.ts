import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mistypedCommand } from "./mistyped-command.ts";

const commands = ["start", "check", "explain", "help"];

it("suggests the command that was meant", () => {
  expect(mistypedCommand("strat", commands)).toBe(
    'there is no command "strat", and no file of that name; did you mean "start"?',
  );
});

it("lists the commands where none is near", () => {
  expect(mistypedCommand("serve-all", commands)).toMatch(/; known commands: start, check, explain, help$/);
});

it("leaves commands, options, files and what looks like one alone", () => {
  const file = join(mkdtempSync(join(tmpdir(), "sluice-")), "gateway");
  writeFileSync(file, "");
  for (const word of [undefined, "start", "--port", file, "gateway.yaml", "./gateway"])
    expect(mistypedCommand(word, commands)).toBeUndefined();
});
