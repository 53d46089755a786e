const digitsOf = (text: string): number[] => [...text.replaceAll(/\D/g, "")].map(Number);

/** The check digit of payment cards (ISO/IEC 7812). */
export function luhn(text: string): boolean {
  let sum = 0;
  for (const [at, digit] of digitsOf(text).reverse().entries()) {
    const doubled = at % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Beginnings and lengths of the numbers that the large card schemes issue. */
const schemes: readonly (readonly [start: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^5[1-5]/, [16]],
  [/^2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|65|64[4-9])/, [16, 19]],
  [/^3(?:0[0-5]|[68])/, [14]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^62/, [16, 17, 18, 19]],
];

export function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  return schemes.some(([start, lengths]) => lengths.includes(digits.length) && start.test(digits)) && luhn(digits);
}

/** Characters of an IBAN, by country (ISO 13616). */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    "NO15 BE16 DK18 FI18 FO18 GL18 NL18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 XK20 CH21 CR22 GB22 DE22 GE22 IE22 ME22 " +
    "RS22 BG22 BH22 HR21 LI21 LV21 AE23 IL23 GI23 TL23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24 SE24 SK24 TN24 VG24 PT25 " +
    "IS26 TR26 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 CY28 DO28 GT28 HU28 LB28 PL28 BR29 PS29 QA29 UA29 JO30 KW30 " +
    "MU30 MT31 SC31 LC32"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Characters of the IBAN that a text begins with, spaces included; 0 where it begins with none. */
export function ibanAt(text: string): number {
  const length = ibanLengths[text.slice(0, 2).toUpperCase()] ?? 0;
  let taken = 0;
  let iban = "";
  for (const character of text) {
    if (iban.length === length) break;
    taken++;
    if (character !== " ") iban += character;
  }
  const follows = text.charAt(taken);
  if (length === 0 || iban.length < length || (follows !== "" && follows !== " ")) return 0;
  return remainderOf97(iban.toUpperCase()) === 1 ? taken : 0;
}

/** ISO 7064: letters count from 10, and the first four characters stand last. */
function remainderOf97(iban: string): number {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4))
    for (const digit of Number.parseInt(character, 36).toString()) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder;
}
