import { AgedMap } from "../../core/index.ts";

/** Who was sent where, by keys. */
export type KnownAssignments = AgedMap<string, Assignment>;

/** Which child of a group a caller was given, and for how long. Times are Unix milliseconds. */
export interface Assignment {
  readonly child: number;
  readonly assignedAt: number;
  readonly expiresAt: number;
  /** Made while others could not be asked: they may have made one, too. */
  readonly alone?: boolean;
}

export interface Assignments {
  get(key: string, now: number): Assignment | undefined;
  set(key: string, assignment: Assignment): void;
}

/**
 * In memory, and bounded: the oldest assignment makes room for a new one. Using one does not extend it. Between looking
 * and setting nothing else runs, so the first of two concurrent requests decides for both.
 */
export function assignments(most: number, known: KnownAssignments = new AgedMap()): Assignments {
  return {
    get(key, now) {
      const found = known.get(key);
      if (!found) return undefined;
      if (now < found.expiresAt) return found;
      known.delete(key);
      return undefined;
    },
    set(key, assignment) {
      known.set(key, assignment);
      const { oldest } = known;
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
  };
}
