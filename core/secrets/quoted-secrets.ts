/** Text of a vendor without what it was called with: it sometimes quotes the credential it refuses. What has three letters or less is none. */
export function withoutQuoted(text: string, secrets: readonly string[], shown = "***"): string {
  // The longest first: where one begins with another, nothing of it is left.
  const hidden = secrets.filter((secret) => secret.length > 3).sort((one, other) => other.length - one.length);
  const clean = hidden
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .reduce((left, spelling) => left.replaceAll(spelling, shown), text);
  return clean.includes("\\") ? withoutEscaped(clean, hidden, shown) : clean;
}

/**
 * The same for text that is JSON, which may write every character in several ways: "/" as "\/", and "+" by its number, "\u002B".
 * It is read once, and looked for what it says, so that it takes no longer with secrets that are long, or all of one letter.
 */
function withoutEscaped(text: string, secrets: readonly string[], shown: string): string {
  const { plain, escapes } = unescaped(text);
  const found = secrets.flatMap((secret) => placesOf(secret, plain)).sort((one, other) => one.start - other.start);
  let [left, from, next, longer] = ["", 0, 0, 0];
  const inText = (at: number): number => {
    for (let one = escapes[next]; one && one.at < at; one = escapes[++next]) longer += one.longer;
    return at + longer;
  };
  let end = 0;
  for (const place of found) {
    if (place.end <= end) continue;
    if (place.start >= end) left += text.slice(from, inText(place.start)) + shown;
    end = place.end;
    from = inText(end);
  }
  return left + text.slice(from);
}

interface Escape {
  /** Where it is in the plain text. */
  readonly at: number;
  /** How much longer it is than the one character it stands for. */
  readonly longer: number;
}

const named: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): { readonly plain: string; readonly escapes: readonly Escape[] } {
  const escapes: Escape[] = [];
  let saved = 0;
  const plain = text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (written, number, other, at) => {
    const longer = written.length - 1;
    escapes.push({ at: at - saved, longer });
    saved += longer;
    return number === undefined ? (named[other] ?? other) : String.fromCharCode(Number.parseInt(number, 16));
  });
  return { plain, escapes };
}

function placesOf(secret: string, text: string): { readonly start: number; readonly end: number }[] {
  const places = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
    places.push({ start: at, end: at + secret.length });
  return places;
}
