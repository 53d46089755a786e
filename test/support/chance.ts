import { onTestFailed } from "vitest";

/** How often a test that is decided by chance runs, and where its chance begins. */
export interface Chance {
  readonly numRuns: number;
  readonly seed: number;
}

/**
 * The runs of a walk: SLUICE_WALKS asks for more of them. Each time it takes others, and when it fails, be it that it takes
 * too long, it says how to take the same ones again: with SLUICE_SEED, an integer. A walk that is new in the suite takes the
 * same ones there (`first`) until it has been taken many thousand times by hand: what it finds then is no reason to stop others.
 */
export function chance(usual: number, first?: number): Chance {
  const walks = whole("SLUICE_WALKS");
  const numRuns = walks ?? usual;
  const anyOther = (Date.now() ^ (process.pid << 16)) | 0;
  const seed = whole("SLUICE_SEED") ?? (walks === undefined ? first : undefined) ?? anyOther;
  onTestFailed(({ task }) => {
    const more = numRuns === usual ? "" : ` SLUICE_WALKS=${numRuns}`;
    console.error(`To walk the same way again: SLUICE_SEED=${seed}${more} npx vitest run ${task.file.name}`);
  });
  return { numRuns, seed };
}

function whole(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text)) throw new Error(`${name} is "${text}": write a whole number, as in ${name}=7.`);
  return Number(text);
}
