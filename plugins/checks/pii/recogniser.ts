import type { Finding, Redactor } from "../../../core/index.ts";
import { inJson } from "../in-json.ts";
import { afterCharacter, contextOf, shapeOf, widthOf } from "../pattern-shape.ts";

/** What one kind of thing looks like. */
export interface Recogniser {
  readonly kind: string;
  /** Bounded, with the flags g and u, and nothing in it that may match the same characters in two ways. */
  readonly pattern: RegExp;
  /** One of these stands in every finding or before it, within its context: a text without is not looked at further. */
  readonly hints?: readonly string[];
  /** Whether a match is one, or how many characters of it are: what a form alone does not tell. */
  readonly accept?: (matched: string) => boolean | number;
}

/** How many characters a finding has at most, and how many beside it it depends on. */
interface Reach {
  readonly window: number;
  readonly context: number;
}

const knownReaches = new WeakMap<Recogniser, Reach>();

/** How far a recogniser's findings reach, found out once. Throws where it has no bound. */
export function reachOf(recogniser: Recogniser): Reach {
  const known = knownReaches.get(recogniser);
  if (known) return known;
  const { kind, pattern } = recogniser;
  const shape = shapeOf(pattern.source, true);
  const window = shape ? widthOf(shape.node).most : Number.POSITIVE_INFINITY;
  const context = shape ? contextOf(shape.node) : Number.POSITIVE_INFINITY;
  if (!Number.isFinite(window + context)) throw new Error(`the pattern of ${kind} has no bound: ${pattern.source}`);
  const reach = { window, context };
  knownReaches.set(recogniser, reach);
  return reach;
}

/**
 * Takes out what recognisers find and numbers it by kind, the same thing always alike: `{{EMAIL_ADDRESS_1}}`. It may go
 * from one text to the next, and counts on.
 */
export function numbering(recognisers: readonly Recogniser[]): Redactor {
  const reaches = recognisers.map(reachOf);
  const numbers = new Map<string, Map<string, number>>();
  return inJson({
    window: Math.max(1, ...reaches.map(({ window }) => window)),
    context: Math.max(1, ...reaches.map(({ context }) => context)),
    find: (text, from = 0) => findings(recognisers, text, from),
    replacement({ kind }, matched) {
      const known = numbers.get(kind) ?? new Map<string, number>();
      numbers.set(kind, known);
      const number = known.get(matched) ?? known.size + 1;
      known.set(matched, number);
      return `{{${kind}_${number}}}`;
    },
  });
}

/** In order: the one that begins first, and of those the longest. */
export function findings(recognisers: readonly Recogniser[], text: string, from = 0): Finding[] {
  const found: Finding[] = [];
  const next = recognisers.map((recogniser) => nextOf(recogniser, text, from));
  for (;;) {
    const first = next.reduce(earlier, undefined);
    if (!first) return found;
    found.push(first);
    for (const [at, recogniser] of recognisers.entries()) {
      const ahead = next[at];
      if (ahead && ahead.start < first.end) next[at] = nextOf(recogniser, text, first.end);
    }
  }
}

const earlier = (best: Finding | undefined, one: Finding | undefined): Finding | undefined => {
  if (!best || !one) return best ?? one;
  return one.start < best.start || (one.start === best.start && one.end > best.end) ? one : best;
};

/** A hint may stand in what only precedes a finding: `password=` has been passed already where a stream goes on behind it. */
function isHintedAt(recogniser: Recogniser, text: string, from: number): boolean {
  const { hints } = recogniser;
  if (!hints) return true;
  const start = from === 0 ? 0 : Math.max(0, from - reachOf(recogniser).context);
  return hints.some((hint) => text.includes(hint, start));
}

function nextOf(recogniser: Recogniser, text: string, from: number): Finding | undefined {
  const { kind, pattern, accept } = recogniser;
  if (!isHintedAt(recogniser, text, from)) return undefined;
  for (let at = from; ; ) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return undefined;
    const [matched] = match;
    const accepted = accept?.(matched) ?? true;
    const length = accepted === true ? matched.length : Number(accepted);
    if (length > 0) return { start: match.index, end: match.index + length, kind };
    // Another one may begin within what this one was not.
    at = afterCharacter(text, match.index);
  }
}
