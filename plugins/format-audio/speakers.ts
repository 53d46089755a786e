/** The letter of a speaker by number, from 0 on, as clients know speakers: A to Z, then AA. Undefined where it is no such number. */
export function letterOf(speaker: unknown): string | undefined {
  if (typeof speaker !== "number" || !Number.isSafeInteger(speaker) || speaker < 0) return undefined;
  const before = speaker < 26 ? "" : (letterOf(Math.floor(speaker / 26) - 1) ?? "");
  return before + String.fromCharCode(65 + (speaker % 26));
}
