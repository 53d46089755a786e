import { sentences } from "../language/corpus.ts";
import { sample } from "./sample.ts";

export type GibberishLabel = "clean" | "mild gibberish" | "noise";

export interface GibberishScore {
  readonly label: GibberishLabel;
  /** How much of the text, by letters, is no word of a language written in Latin letters, as far as letters tell. */
  readonly score: number;
}

const mostCharacters = 2_000;

const plainWord = (word: string): string => word.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** How often one, two and three letters in a row are seen. */
class Letters {
  readonly #seen = new Map<string, number>();
  #all = 0;

  learn(text: string): void {
    for (const [word] of text.matchAll(/\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu)) {
      const letters = ` ${plainWord(word)} `;
      for (let at = 0; at < letters.length; at++) {
        this.#all++;
        for (const length of [1, 2, 3]) {
          const run = letters.slice(at, at + length);
          if (run.length === length) this.#seen.set(run, (this.#seen.get(run) ?? 0) + 1);
        }
      }
    }
  }

  /** The mean surprise of its letters, in bits: each by the two before it, or by fewer where those were never seen. */
  surprise(word: string): number {
    const letters = ` ${word} `;
    let bits = 0;
    for (let at = 2; at < letters.length; at++) {
      const run = letters.slice(at - 2, at + 1);
      const share =
        0.6 * this.#share(run, run.slice(0, 2)) +
        0.35 * this.#share(run.slice(1), run.slice(1, 2)) +
        (0.05 * (this.#seen.get(run.slice(2)) ?? 0.5)) / this.#all;
      bits -= Math.log2(share);
    }
    return bits / (letters.length - 2);
  }

  #share(run: string, before: string): number {
    const times = this.#seen.get(before) ?? 0;
    return times === 0 ? 0 : (this.#seen.get(run) ?? 0) / times;
  }
}

const model = new Letters();
model.learn(sample);
model.learn(sentences.map(([, text]) => text).join(" "));

/** Bits from which on a word is taken for none: found by trying. */
const oddFrom = 6.3;
const fewestLetters = 6;

/**
 * What is no language, by how its letters follow one another. Only what is written in Latin letters is judged; words that
 * are all right one by one but mean nothing together (word salad) are clean to it, and so is what is too short to tell.
 */
export function gibberishIn(text: string): GibberishScore {
  const beginning = text.slice(0, mostCharacters);
  // Addresses, code and identifiers are no words, and no gibberish either.
  const words = beginning
    .split(/\s+/)
    .flatMap((token) => token.match(/^[("'¿¡]?([\p{Script=Latin}\p{M}'’-]+)[)"'.,;:!?…]*$/u)?.[1] ?? []);
  let letters = 0;
  let odd = 0;
  for (const word of words.flatMap((one) => one.split(/['’-]/))) {
    const plain = plainWord(word);
    letters += plain.length;
    // What is written in capitals may be an abbreviation.
    if (plain.length >= 3 && !(word.length < 7 && word === word.toUpperCase()) && isOdd(plain)) odd += plain.length;
  }
  const symbols = symbolsIn(beginning);
  if (letters < fewestLetters) return symbols > 0.7 ? { label: "noise", score: symbols } : { label: "clean", score: 0 };
  const score = Math.round((odd / letters) * 1000) / 1000;
  return { label: score >= 0.6 ? "noise" : score >= 0.3 ? "mild gibberish" : "clean", score };
}

const isOdd = (word: string): boolean =>
  /(.)\1{3}/.test(word) || /[bcdfghjklmnpqrstvwxz]{6}/.test(word) || model.surprise(word) > oddFrom;

/** The share of signs that stand for nothing by themselves. */
function symbolsIn(text: string): number {
  const seen = text.replaceAll(/\s/g, "");
  return seen.length < 12
    ? 0
    : Math.round(((seen.match(/[^\p{L}\p{N}\p{Extended_Pictographic}\p{M}]/gu)?.length ?? 0) / seen.length) * 1000) /
        1000;
}
