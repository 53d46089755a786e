/** Text of a vendor without what it was called with: it sometimes quotes the credential it refuses. */
export function masked(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length <= 3) continue;
    for (const spelling of spellings(secret)) clean = clean.replaceAll(spelling, "***");
    if (clean.includes("\\u")) clean = clean.replace(inEscapes(secret), "***");
  }
  return clean;
}

/** How texts, JSON (which may write "/" as "\/") and addresses spell it. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll("/", "\\/"), encodeURIComponent(secret.toWellFormed())])];
}

/** The same in JSON that writes characters by their number, as .NET writes the "+" of base64: "\u002B". */
function inEscapes(secret: string): RegExp {
  const written = secret.split("").map((unit) => {
    const plain = JSON.stringify(unit).slice(1, -1);
    const number = unit.charCodeAt(0).toString(16).padStart(4, "0");
    const anyCase = number.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:${escaped(plain)}|${escaped(`\\${unit}`)}|\\\\u${anyCase})`;
  });
  return new RegExp(written.join(""), "g");
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
