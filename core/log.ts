import pino from "pino";
import type { Logger } from "./model/logger.ts";

/** The process log: lines of JSON for machines, plain lines where a person watches. */
export function createLogger(level: string, terminal = process.stdout.isTTY === true): Logger {
  const options = { level, base: null, serializers: { error: pino.stdSerializers.errWithCause } };
  const sink = terminal ? { write: (line: string) => process.stdout.write(forPeople(line)) } : undefined;
  const log = sink ? pino(options, sink) : pino(options);
  return {
    debug: (message, fields = {}) => log.debug(fields, message),
    info: (message, fields = {}) => log.info(fields, message),
    warn: (message, fields = {}) => log.warn(fields, message),
    error: (message, fields = {}) => log.error(fields, message),
  };
}

function forPeople(line: string): string {
  const { level, time, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${plain(value)}`);
  const trouble = error === undefined ? "" : `\n${troubleOf(error)}`;
  return `${clock} ${pino.levels.labels[Number(level)] ?? level} ${[msg, ...rest].join(" ")}${trouble}\n`;
}

/** What was thrown, as it was serialised: it may be no error, or one without a stack. */
function troubleOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const { stack, type, message } = error as Readonly<Record<string, unknown>>;
  if (typeof stack === "string") return stack;
  return typeof message === "string" ? `${type ?? "Error"}: ${message}` : JSON.stringify(error);
}

const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const nothing = () => undefined;

/** For what has no process log to write to: commands whose output is their answer, and tests. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
