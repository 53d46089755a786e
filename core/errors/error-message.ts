/** What went wrong, in the words of whatever was thrown. What has none, or fails to say them, is told as that. */
export function errorMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "something without words was thrown";
  }
}
