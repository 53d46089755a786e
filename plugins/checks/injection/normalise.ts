/** A text as a reader takes it, and what was done so that it looks otherwise to a filter. */
export interface Normalised {
  /** In lower case, without accents, hidden characters and look-alikes, with single spaces. */
  readonly plain: string;
  /** Characters nobody sees. */
  readonly hidden: number;
  /** What was written in tag characters, which models read and people do not see. */
  readonly tagged: string;
  /** Words of letters of several scripts. */
  readonly mixed: number;
}

const invisible =
  /[\u00ad\u115f\u1160\u17b4\u17b5\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\u034f|\u061c|[\u180b-\u180e]|[\ufe00-\ufe0f]/gu;
const tag = /[\u{e0020}-\u{e007e}]/gu;

/** Letters of other scripts, each with the Latin one that it looks like. */
const lookAlikes = new Map(
  "аa еe оo рp сc уy хx іi јj ѕs ԁd һh ӏl ԛq ԝw вb нh кk мm тt гr пn αa βb εe ηn ιi κk νv οo ρp τt υu χx γy ωw ɑa ɡg ıi"
    .split(" ")
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

export function normalised(text: string): Normalised {
  const hidden = text.match(invisible)?.length ?? 0;
  const tagged = (text.match(tag) ?? [])
    .map((one) => String.fromCodePoint((one.codePointAt(0) ?? 0) - 0xe0000))
    .join("");
  const seen = text
    .replaceAll(invisible, "")
    .replaceAll(/[\u{e0000}-\u{e007f}]/gu, "")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase();
  const words = seen.match(/\p{L}+/gu) ?? [];
  const mixed = words.filter(
    (word) => /[a-z]/.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word),
  ).length;
  const latin = mixed > 0 ? seen.replaceAll(/\p{L}/gu, (letter) => lookAlikes.get(letter) ?? letter) : seen;
  const plain = joined(latin)
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/\s+/g, " ");
  return { plain, hidden, tagged, mixed };
}

/** Letters one by one, `i g n o r e` or `i.g.n.o.r.e`, as words; two spaces are one between words. */
const joined = (text: string): string =>
  text.replaceAll(/(?<![\p{L}\p{N}])\p{L}(?:[ ._*-]\p{L}){3,40}(?![\p{L}\p{N}])/gu, (letters) =>
    letters.replaceAll(/[ ._*-]/g, ""),
  );

const leet: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

/** The same with the digits that stand for letters within words read as those. */
export const unleeted = (plain: string): string =>
  plain.replaceAll(/[a-z0-9@$]{3,30}/g, (word) =>
    /[a-z]/.test(word) && /[0-9@$]/.test(word) ? word.replaceAll(/[0134577@$]/g, (one) => leet[one] ?? one) : word,
  );

/** Texts that are encoded in another one: base64, hexadecimal, percent signs, and backwards or by rot13 where it says so. */
export function payloads(text: string): string[] {
  const found: string[] = [];
  for (const [run] of text.matchAll(/(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,4000}={0,2}/g))
    found.push(Buffer.from(run, "base64").toString());
  for (const [run] of text.matchAll(/(?<![0-9a-f])(?:[0-9a-f]{2}[ ]?){12,2000}/gi))
    found.push(Buffer.from(run.replaceAll(" ", ""), "hex").toString());
  if (/%[0-9a-f]{2}/i.test(text))
    found.push(
      text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    );
  if (/rot-?13/i.test(text)) found.push(text.replaceAll(/[a-z]/gi, rot13));
  if (/revers|backward/i.test(text)) found.push([...text].reverse().join(""));
  return found.filter((one) => /[a-z]{4}/i.test(one) && printable(one));
}

const printable = (text: string): boolean =>
  (text.match(/[\p{L}\p{N}\p{P}\p{Zs}\n\r\t]/gu)?.length ?? 0) > text.length * 0.9;

function rot13(letter: string): string {
  const base = letter <= "Z" ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
}
