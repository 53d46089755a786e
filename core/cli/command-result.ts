/** What a command that answers and ends has to say. Commands return it, so that tests need no process. */
export interface CommandResult {
  readonly exitCode: number;
  /** For standard output. */
  readonly out: string;
  /** For standard error. */
  readonly err: string;
}

const lines = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

export const succeeded = (out: string, err = ""): CommandResult => ({ exitCode: 0, out: lines(out), err: lines(err) });

export const failed = (err: string, out = ""): CommandResult => ({ exitCode: 1, out: lines(out), err: lines(err) });

/** Prints a result and ends the process, once everything is written: a plugin's forgotten timer does not hold it up. */
export async function finish(result: CommandResult): Promise<void> {
  await Promise.all([written(process.stdout, result.out), written(process.stderr, result.err)]);
  process.exit(result.exitCode);
}

/** A reader that stopped reading, like `head`, is no failure. */
const written = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve) => {
    if (text === "") return resolve();
    stream.once("error", () => resolve());
    stream.write(text, () => resolve());
  });
