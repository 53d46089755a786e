import type { Hold } from "../hook.ts";

/** Judges a text that grows, a part at a time. */
export interface Judge {
  /** How much of the text may go on, as far as this judge is concerned; -1 when it was denied. `over`: it will not grow. */
  judge(text: string, over: boolean): number;
}

/** What is held back at most, whatever was asked for: a text without an end of a sentence must not pile up. */
const mostHeld = 65_536;

/** Looks at every part of `window` characters: what it looks for is never sent, not even the beginning of it. */
export function windowJudge(window: number, passes: (text: string) => boolean): Judge {
  let seen = 0;
  return {
    judge(text, over) {
      if (text.length > seen && !passes(text.slice(Math.max(0, seen - window + 1)))) return -1;
      seen = text.length;
      return over ? seen : Math.max(0, seen - window + 1);
    },
  };
}

/** Looks at what came since it looked last: whole sentences, so many characters, or what came within a time. */
export function holdJudge(hold: Hold, passes: (text: string) => boolean, now: () => number): Judge {
  let judged = 0;
  let since: number | undefined;
  return {
    judge(text, over) {
      if (text.length === judged) return judged;
      since ??= now();
      const upTo = over || text.length - judged > mostHeld ? text.length : dueIn(text, judged, since, hold, now);
      if (upTo === undefined) return judged;
      // A part is looked at with the one before it, which something may reach into.
      const from = hold.characters === undefined ? judged : Math.max(0, judged - hold.characters);
      if (!passes(text.slice(from, upTo))) return -1;
      judged = upTo;
      since = undefined;
      return judged;
    },
  };
}

function dueIn(text: string, judged: number, since: number, hold: Hold, now: () => number): number | undefined {
  const { characters, sentences, milliseconds } = hold;
  if (milliseconds !== undefined && now() - since >= milliseconds) return text.length;
  if (characters !== undefined && text.length - judged >= characters) return text.length;
  if (sentences === undefined) return undefined;
  const ends = [...text.slice(judged).matchAll(/[.!?。！？]+(?=\s)|\n+/g)];
  const last = ends.at(-1);
  return last && ends.length >= sentences ? judged + last.index + last[0].length : undefined;
}
