import { RE2JS } from "re2js";
import { errorMessage } from "../../core/index.ts";

/** Where a pattern matches, in a time that grows no faster than the text. */
export interface Pattern {
  foundIn(text: string): boolean;
}

const longest = 1000;
/** Instructions a pattern may come to; counted repetitions are written out when it is compiled. */
const largest = 5000;
/** Instructions times characters that one search may take: a tenth of a second or two at worst. */
const mostWork = 1_000_000;

/**
 * A pattern in JavaScript syntax, for an engine that never backtracks: lookaround and back references, which need it, are
 * not understood. A text too long for its pattern is searched from its beginning as far as the work allowed goes.
 * What is wrong with it is returned as a text.
 */
export function compilePattern(source: unknown): Pattern | string {
  if (typeof source !== "string") return "is not a text";
  if (source.length > longest) return `is longer than ${longest} characters`;
  const size = sizeOf(source);
  if (size > largest) return "repeats too much";
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    const reach = Math.floor(mostWork / Math.max(size, 1));
    return { foundIn: (text) => compiled.test(text.slice(0, reach)) };
  } catch (error) {
    return `is not a pattern: ${errorMessage(error)}`;
  }
}

const token = /\\.|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S]/g;

/** About how many instructions a pattern becomes. Of one that is not well formed, any number: compiling it fails. */
function sizeOf(source: string): number {
  const outer: number[] = [];
  let size = 0;
  let last = 0;
  const add = (more: number) => {
    last = more;
    size += more;
  };
  for (const [text] of source.matchAll(token)) {
    const count = /^\{(\d+)(?:,(\d*))?\}$/.exec(text);
    if (count) add(last * (Math.max(Number(count[1]), Number(count[2] ?? 0), 1) - 1));
    else if (text === "(") {
      outer.push(size);
      size = 0;
    } else if (text === ")") {
      const group = size;
      size = outer.pop() ?? 0;
      add(group + 2);
    } else add(1);
  }
  return size;
}
