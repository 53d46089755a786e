/** Text of a vendor without what it was called with: it sometimes quotes the credential it refuses. */
export function masked(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 3)
    .flatMap(spellings)
    .reduce((clean, spelling) => clean.replaceAll(spelling, "***"), text);
}

/** How texts, JSON (which may write "/" as "\/") and addresses spell it. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll("/", "\\/"), encodeURIComponent(secret.toWellFormed())])];
}
