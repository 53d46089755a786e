import { existsSync } from "node:fs";
import { suggestion } from "../nearest.ts";

/**
 * What is wrong with a first word that is no command: without one, a config file is started, so a command that is
 * mistyped would be a file that is missing. Undefined where it is an option, or may well name a file.
 */
export function mistypedCommand(word: string | undefined, commands: readonly string[]): string | undefined {
  if (word === undefined || word.startsWith("-") || commands.includes(word)) return undefined;
  if (/[./\\]/.test(word) || existsSync(word)) return undefined;
  return `there is no command "${word}", and no file of that name; ${suggestion(word, commands, "commands")}`;
}
