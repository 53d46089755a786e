import { isIPv6 } from "node:net";
import { ibanAt, isCard } from "./numbers.ts";
import type { Recogniser } from "./recogniser.ts";

/** Endings of files, which look like those of hosts: `logo@2x.png`. */
const fileEndings = new Set(
  "png jpg jpeg gif svg webp ico css js ts tsx jsx json html md py rb sh yml yaml".split(" "),
);

function isMail(matched: string): boolean {
  const ending = matched.slice(matched.lastIndexOf(".") + 1).toLowerCase();
  return !fileEndings.has(ending) && !matched.includes("..") && !/[.]@/.test(matched) && !/^git@/.test(matched);
}

const isPhone = (fewest: number, most: number) => (matched: string) => {
  const count = matched.replaceAll(/\D/g, "").length;
  return count >= fewest && count <= most;
};

/** A trailing colon belongs to the sentence. */
function ipv6At(matched: string): number {
  const address = /[^:]:$/.test(matched) ? matched.slice(0, -1) : matched;
  return isIPv6(address) && /\d/.test(address) && address.length > 3 ? address.length : 0;
}

const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
/** What a number is not a part of a longer one behind, and before. */
const alone = "(?<![\\p{L}\\p{N}_.+-])(?<!\\d[ ])";
const ends = "(?![\\p{L}\\p{N}_])(?![.-]\\d)";
/** What a text without any holds none of these of. */
const digits = [..."0123456789"];
const of = (source: string, flags = "gu") => new RegExp(source, flags);

/** What tells who somebody is, by its form (guardrails.md section 12). Names and places have none. */
export const personal: readonly Recogniser[] = [
  {
    kind: "EMAIL_ADDRESS",
    pattern: of(
      "(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\p{N}_][\\p{L}\\p{N}._%+'-]{0,63}@(?:[\\p{L}\\p{N}][\\p{L}\\p{N}-]{0,30}\\.){1,4}\\p{L}{2,24}(?![\\p{L}\\p{N}-])",
    ),
    hints: ["@"],
    accept: isMail,
  },
  {
    kind: "CREDIT_CARD",
    hints: digits,
    pattern: of(
      `${alone}(?:\\d{13,19}|\\d{4} \\d{4} \\d{4} \\d{4}|\\d{4}-\\d{4}-\\d{4}-\\d{4}|\\d{4}[ -]\\d{6}[ -]\\d{4,5})${ends}`,
    ),
    accept: isCard,
  },
  {
    kind: "IBAN",
    hints: digits,
    pattern: of("(?<![\\p{L}\\p{N}])[a-z]{2}\\d{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,3})?(?![\\p{L}\\p{N}])", "giu"),
    accept: ibanAt,
  },
  {
    kind: "SSN",
    hints: digits,
    pattern: of(
      `${alone}(?!000|666|9)(?:\\d{3}-(?!00)\\d{2}-(?!0000)\\d{4}|\\d{3} (?!00)\\d{2} (?!0000)\\d{4})${ends}(?!-)`,
    ),
  },
  {
    kind: "SSN",
    hints: digits,
    pattern: of(
      `(?<=(?:ssn|social security|social security number)[^\\p{L}\\p{N}]{1,3}(?:is |was |no\\. )?)(?!000|666|9)\\d{9}${ends}`,
      "giu",
    ),
  },
  {
    kind: "IP_ADDRESS",
    pattern: of(
      `(?<![\\p{L}\\p{N}_.-])(?<!(?:version|release|build|section|chapter|v\\.) )(?:${octet}\\.){3}${octet}(?![\\p{L}\\p{N}_]|\\.\\d|-[\\p{L}\\p{N}])`,
      "giu",
    ),
    hints: ["."],
  },
  {
    kind: "IP_ADDRESS",
    pattern: of("(?<![\\p{L}\\p{N}_:.])[0-9a-f:]{3,39}(?:(?<=:\\d{1,3})(?:\\.\\d{1,3}){3})?(?![\\p{L}\\p{N}_])", "giu"),
    hints: [":"],
    accept: ipv6At,
  },
  // With the country: +44 20 7946 0958, 0049 (0)30 123456.
  {
    kind: "PHONE_NUMBER",
    pattern: of("(?<![\\p{L}\\p{N}+])\\+[1-9](?:[ .()/-]{0,2}\\d){6,14}(?!\\p{N})"),
    hints: ["+"],
    accept: isPhone(8, 15),
  },
  {
    kind: "PHONE_NUMBER",
    hints: digits,
    pattern: of(`${alone}00[1-9]\\d{0,2}[ .-](?:[ .()-]{0,2}\\d){6,12}${ends}`),
    accept: isPhone(9, 17),
  },
  // Of North America.
  {
    kind: "PHONE_NUMBER",
    hints: digits,
    pattern: of(`${alone}(?:1[ .-])?(?:\\([2-9]\\d{2}\\) ?|[2-9]\\d{2}[ .-])[2-9]\\d{2}[ .-]\\d{4}${ends}`),
  },
  // Of a country that dials a 0 first.
  {
    kind: "PHONE_NUMBER",
    hints: digits,
    pattern: of(`${alone}\\(?0[1-9]\\d{0,3}\\)?[ /-]\\d{2,8}(?:[ -]\\d{2,4}){0,4}${ends}`),
    accept: isPhone(9, 12),
  },
  // Behind a word that says so.
  {
    kind: "PHONE_NUMBER",
    hints: digits,
    pattern: of(
      `(?<=(?<!\\p{L})(?:phone|telephone|tel|mobile|cell|fax|whatsapp|call me|call us|call|ring|text me)(?: number)?(?: is| at| on)?[.:]? {0,2})\\(?\\d(?:[ .()-]{0,2}\\d){6,12}${ends}`,
      "giu",
    ),
  },
];
