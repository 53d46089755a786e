/**
 * Whether node was started with a flag of V8's, on or off, with whatever value. V8 takes underscores for hyphens, and a `no`
 * without one behind it; `process.execArgv` has the flag as it was written.
 */
export const isFlagSet = (flag: string): boolean =>
  process.execArgv.some((option) => /^--?(?:no-?)?([^=]*)/.exec(option.replaceAll("_", "-"))?.[1] === flag);
