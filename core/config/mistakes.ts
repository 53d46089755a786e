import { dotted, type Path } from "../dotted.ts";

export { dotted, type Path };

/** One thing wrong with the config file. Lines and columns count from 1. */
export interface Mistake {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `plugins.rate-limits.value`; empty for the file as a whole. */
  readonly path: string;
  /** Place, value, remedy; never the value of a secret or of an environment variable. */
  readonly message: string;
  /** What a module threw when it was imported. */
  readonly cause?: unknown;
}

/** The config file cannot be used. Holds every mistake that could be found, in the order of the file. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly mistakes: readonly Mistake[];
  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(lineOf).join("\n"), { cause: mistakes.find(({ cause }) => cause !== undefined)?.cause });
    this.mistakes = mistakes;
  }
}

/** `gateway.yaml:14:7 plugins.rate-limits: unknown option "valeu"; did you mean "value"?` */
const lineOf = ({ file, line, column, path, message }: Mistake): string =>
  `${file}:${line}:${column} ${path === "" ? "" : `${path}: `}${message}`;

/** Collects mistakes while a file is read. */
export interface Report {
  readonly mistakes: readonly Mistake[];
  /** `offset` counts characters from the start of the file. */
  add(path: Path, offset: number, message: string, cause?: unknown): void;
  /** All of them, as an error. */
  error(): ConfigError;
  /** Throws when there is any mistake. */
  settle(): void;
}

export function reportFor(file: string, position: (offset: number) => { line: number; column: number }): Report {
  const found = new Map<string, Mistake>();
  const sorted = () => [...found.values()].sort((left, right) => left.line - right.line || left.column - right.column);
  return {
    get mistakes() {
      return sorted();
    },
    add(path, offset, message, cause) {
      const mistake = {
        file,
        ...position(offset),
        path: dotted(path),
        message,
        ...(cause === undefined ? {} : { cause }),
      };
      found.set(lineOf(mistake), mistake);
    },
    error: () => new ConfigError(sorted()),
    settle() {
      if (found.size > 0) throw new ConfigError(sorted());
    },
  };
}
