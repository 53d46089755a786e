import type { Hold } from "../hook.ts";

/** Judges a text that grows, a piece at a time. It keeps no more of it than it may still need. */
export interface Judge {
  /**
   * How much of the text so far may go on, as far as this judge is concerned; -1 when it is denied. `over`: it will not
   * grow. An empty piece lets it decide on what it holds already.
   */
  grow(more: string, over: boolean): number;
}

/** What is held back at most, whatever was asked for: a text without an end of a sentence must not pile up. */
export const mostHeld = 16_384;

/** Looks at every part of `window` characters: what it looks for is never sent, not even the beginning of it. */
export function windowJudge(window: number, passes: (text: string) => boolean): Judge {
  let seen = 0;
  let tail = "";
  return {
    grow(more, over) {
      if (more !== "") {
        const text = tail + more;
        if (!passes(text)) return -1;
        seen += more.length;
        tail = window === 1 ? "" : text.slice(1 - window);
      }
      return over ? seen : Math.max(0, seen - window + 1);
    },
  };
}

/**
 * Looks at what came since it looked last, whichever is first: so many characters, so many whole sentences, or what came
 * within a time. Every part is looked at with the one before it, and with what a match could reach back into.
 */
export function holdJudge(
  hold: Hold,
  passes: (text: string) => boolean,
  now: () => number,
  window = hold.characters ?? 0,
): Judge {
  let before = "";
  let judged = 0;
  let held = "";
  let since: number | undefined;
  const sentences = sentenceEnds();
  /** Of what is held, how much is due. */
  const due = (over: boolean): number => {
    const { characters = mostHeld, milliseconds, sentences: wanted } = hold;
    if (over || held.length >= Math.min(characters, mostHeld)) return held.length;
    if (milliseconds !== undefined && since !== undefined && now() - since >= milliseconds) return held.length;
    return wanted !== undefined && sentences.count >= wanted ? sentences.last - judged : 0;
  };
  return {
    grow(more, over) {
      if (more !== "") {
        held += more;
        since ??= now();
        if (hold.sentences !== undefined) sentences.read(more);
      }
      const length = due(over);
      if (length === 0) return judged;
      const part = held.slice(0, length);
      if (!passes(before + part)) return -1;
      judged += length;
      held = held.slice(length);
      since = held === "" ? undefined : now();
      before = (before + part).slice(-Math.min(mostHeld, Math.max(part.length, window)));
      sentences.restart();
      return judged;
    },
  };
}

/** Finds the ends of sentences in a text that grows, each character looked at once. */
function sentenceEnds() {
  let at = 0;
  let stopped = false;
  return {
    /** Since the last restart. */
    count: 0,
    /** Where the last one ends. */
    last: 0,
    read(more: string) {
      for (const unit of more.split("")) {
        const breaks = unit === "\n" || "。！？".includes(unit);
        if (breaks || (stopped && isSpace(unit))) {
          this.count++;
          this.last = breaks ? at + 1 : at;
        }
        stopped = !breaks && (".!?".includes(unit) || (stopped && closing.includes(unit)));
        at++;
      }
    },
    restart() {
      this.count = 0;
    },
  };
}

/** What may stand between the end of a sentence and the space behind it. */
const closing = "\"')]}»”’";
const isSpace = (unit: string): boolean => unit.trim() === "";
