import v8 from "node:v8";

/** A flag of V8's that a gateway sets for its process. */
export interface V8Flag {
  readonly name: string;
  /** As V8 is told it. */
  readonly told: string;
}

const valued = (name: string, value: number): V8Flag => ({ name, told: `--${name}=${value}` });
const off = (name: string): V8Flag => ({ name, told: `--no-${name}` });

export const v8Flags: readonly V8Flag[] = [
  // Lets what outlives a few requests triple before all of it is gone through for garbage. V8 counts the bytes of bodies on
  // their way as such, and begins anew with every 24 MB of them: with bodies of 100 KB that is at every hundredth request, and
  // takes longer than the requests (decision 0041).
  valued("heap-growing-percent", 200),
  // Objects are made among the young ones, always. V8 notes at which places of the code those are made that outlive small
  // collections of garbage, and makes them among the old ones from then on. Where it looks while many requests begin at once,
  // it notes that of what every request is made of: all that hangs on a request then outlives it, is copied twice, and waits
  // for the whole heap to be gone through, for as long as the process lives (decision 0069).
  off("allocation-site-pretenuring"),
  // Functions are compiled into those that call them up to three times as many bytes of bytecode (V8's own: 460 and 920), and
  // a place may know eight shapes of objects (four). A request passes some hundred small functions, of plugins that know
  // nothing of each other (decision 0070).
  valued("max-inlined-bytecode-size", 1000),
  valued("max-inlined-bytecode-size-cumulative", 3000),
  valued("max-valid-polymorphic-map-count", 8),
];

/** Tells V8 the flags of a gateway. Those that node was started with stay as they were given. */
export function tuneV8(): void {
  for (const { name, told } of v8Flags) if (!isFlagSet(name)) v8.setFlagsFromString(told);
}

/**
 * Whether node was started with a flag of V8's, on or off, with whatever value. V8 takes underscores for hyphens, and a `no`
 * without one behind it; `process.execArgv` has the flag as it was written.
 */
const isFlagSet = (name: string): boolean =>
  process.execArgv.some((option) => /^--?(?:no-?)?([^=]*)/.exec(option.replaceAll("_", "-"))?.[1] === name);
