import { scripts, telling, wordWeights } from "./profiles.ts";

export interface LanguageScore {
  readonly label: string;
  /** Its share of what speaks for any. */
  readonly score: number;
}

/** So much of a text is looked at. */
const mostCharacters = 2_000;

/**
 * Languages of a text, the likeliest first; none where there is too little to tell. Scripts of one language decide, else
 * frequent words and letters do. Close relatives (Danish and Norwegian, Indonesian and Malay) are often taken for each other.
 */
export function languagesOf(text: string): LanguageScore[] {
  const beginning = text.slice(0, mostCharacters).toLowerCase().normalize("NFC");
  const scores = new Map<string, number>();
  const add = (language: string, score: number) => scores.set(language, (scores.get(language) ?? 0) + score);
  const letters = beginning.match(/\p{L}/gu)?.length ?? 0;
  const own = scripts.map(([pattern, language]) => [language, beginning.match(pattern)?.length ?? 0] as const);
  const ofOwn = own.reduce((sum, [, count]) => sum + count, 0);
  if (ofOwn > 0 && ofOwn >= letters * 0.4) {
    const japanese = own.some(([language, count]) => language === "jpn_Jpan" && count >= ofOwn * 0.1);
    for (const [language, count] of own)
      if (count > 0) add(japanese && language === "zho_Hans" ? "jpn_Jpan" : language, count);
    return ranked(scores);
  }
  for (const word of beginning.match(/[\p{L}\p{M}'\u200c]+/gu) ?? [])
    for (const [language, weight] of wordWeights.get(word) ?? []) add(language, weight);
  for (const [pattern, languages] of telling) {
    const count = Math.min(beginning.match(pattern)?.length ?? 0, 10);
    if (count > 0) for (const language of languages) add(language, (count * 0.35) / languages.length);
  }
  return ranked(scores);
}

/** Less than this says nothing. */
const least = 0.4;

function ranked(scores: ReadonlyMap<string, number>): LanguageScore[] {
  const all = [...scores].sort(([, a], [, b]) => b - a);
  const sum = all.reduce((total, [, score]) => total + score, 0);
  const [, best = 0] = all[0] ?? [];
  if (best < least) return [];
  return all.slice(0, 5).map(([label, score]) => ({ label, score: Math.round((score / sum) * 1000) / 1000 }));
}
