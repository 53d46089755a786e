let at = -1;
let text = "";

/** Now, as ISO 8601; written out once in a millisecond, for all that are made within it. */
export function timestamp(): string {
  const now = Date.now();
  if (now !== at) {
    at = now;
    text = new Date(now).toISOString();
  }
  return text;
}
