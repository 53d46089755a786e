import {
  backslash,
  carriageReturn,
  closeBrace,
  closeBracket,
  colon,
  lineFeed,
  openBrace,
  openBracket,
  quote,
  space,
  tab,
} from "../../json-bytes.ts";
import { isJsonText } from "../records.ts";

/** A member at the outermost level whose value is a text begins: `{"a":1,"input":"`. */
type State = "before" | "in" | "after" | "raw";

const special = /["\\]/g;
const sequence = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/y;
/** An escape that goes on in the next piece. */
const torn = /^\\(?:u[0-9a-fA-F]{0,3})?$/;

/**
 * Takes the free text out of the arguments of a call (`{"input":"…"}`) as they arrive in pieces:
 *
 *     before → in → after, and raw where they are something else
 *
 * Models that write something else mean it as the text: no character is lost, and nothing is thrown.
 */
export class InputReader {
  #state: State = "before";
  /** What cannot be judged yet: all before the text, a torn escape in it, all after it. */
  #kept = "";
  /** The first half of a surrogate pair whose second half is still to come. */
  #half = "";
  readonly #before = new MemberWatch();

  /** The text in the next piece of the arguments, as far as it is certain. */
  push(piece: string): string {
    switch (this.#state) {
      case "before":
        return this.#look(piece);
      case "in":
        return this.#read(this.#kept + piece);
      case "after":
        this.#kept += piece;
        return "";
      case "raw":
        return this.#whole(piece);
    }
  }

  /** What is left when no more arguments come. */
  end(): string {
    const left = this.#half + this.#left();
    this.#state = "raw";
    this.#half = "";
    this.#kept = "";
    return left;
  }

  /** Whether the arguments are complete. */
  get complete(): boolean {
    return this.#state === "after" && isRest(this.#kept);
  }

  #left(): string {
    switch (this.#state) {
      case "before":
        return isNothing(this.#kept) ? "" : this.#kept;
      case "after":
        // What was read as the end was a quote inside the text where no JSON follows it.
        return this.#kept.trim() === "" || isRest(this.#kept) ? "" : `"${this.#kept}`;
      default:
        return this.#kept;
    }
  }

  #look(piece: string): string {
    const from = this.#kept.length;
    this.#kept += piece;
    for (let at = 0; at < piece.length; at++) {
      const seen = this.#before.step(piece.charCodeAt(at));
      if (seen === "other") return this.#giveUp();
      if (seen !== "text") continue;
      const head = this.#kept.slice(0, from + at + 1);
      const named = lastText(head);
      if (named === undefined) return this.#giveUp();
      if (named !== "input") continue;
      this.#state = "in";
      this.#kept = "";
      return this.#read(piece.slice(at + 1));
    }
    return "";
  }

  #giveUp(): string {
    const text = this.#kept;
    this.#state = "raw";
    this.#kept = "";
    return this.#whole(text);
  }

  #read(text: string): string {
    this.#kept = "";
    let said = "";
    let at = 0;
    while (at < text.length) {
      special.lastIndex = at;
      const next = special.exec(text)?.index ?? text.length;
      said += text.slice(at, next);
      if (next === text.length) break;
      if (text[next] === '"') {
        this.#state = "after";
        this.#kept = text.slice(next + 1);
        break;
      }
      sequence.lastIndex = next;
      const [found] = sequence.exec(text) ?? [];
      if (found === undefined && torn.test(text.slice(next))) {
        this.#kept = text.slice(next);
        break;
      }
      said += found === undefined ? "\\" : (JSON.parse(`"${found}"`) as string);
      at = next + (found?.length ?? 1);
    }
    return this.#whole(said);
  }

  /** Keeps the first half of a pair until the second one is there: clients are given characters. */
  #whole(piece: string): string {
    if (piece === "") return "";
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    this.#half = last >= 0xd800 && last < 0xdc00 ? text.slice(-1) : "";
    return this.#half === "" ? text : text.slice(0, -1);
  }
}

/** The free text in arguments that are there as a whole. */
export function inputIn(text: string): string {
  const reader = new InputReader();
  const said = reader.push(text);
  return said + reader.end();
}

/** Follows the beginning of an object: where texts begin that are values of its own members, and that it is none. */
class MemberWatch {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** What stands before, white space left out. */
  #last = 0;

  step(code: number): "text" | "other" | undefined {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inText = false;
      return undefined;
    }
    if (code === space || code === tab || code === lineFeed || code === carriageReturn) return undefined;
    const last = this.#last;
    this.#last = code;
    if (last === 0 && code !== openBrace) return "other";
    if (code === openBrace || code === openBracket) this.#depth++;
    else if (code === closeBrace || code === closeBracket) this.#depth--;
    else if (code === quote) {
      this.#inText = true;
      if (last === colon && this.#depth === 1) return "text";
    }
    return undefined;
  }
}

/** The name of the member whose text begins where this ends; undefined where it is no JSON so far. */
function lastText(head: string): string | undefined {
  try {
    const value = JSON.parse(`${head}"}`) as Readonly<Record<string, unknown>>;
    if (value.input === "") return "input";
    return "";
  } catch {
    return undefined;
  }
}

/** Whether this is what may follow a member of an object: its end, or further members and its end. */
const isRest = (text: string): boolean => isJsonText(`{"":""${text}`);

/** Arguments that say nothing. */
const isNothing = (text: string): boolean => /^\s*\{\s*\}\s*$/.test(text) || text.trim() === "";
