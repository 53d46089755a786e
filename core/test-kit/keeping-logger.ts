import type { Logger } from "../model/logger.ts";

export interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that keeps its lines. */
export interface KeptLog extends Logger {
  readonly lines: readonly LogLine[];
}

export function keepingLogger(): KeptLog {
  const lines: LogLine[] = [];
  const at =
    (level: keyof Logger) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void lines.push({ level, message, fields });
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
