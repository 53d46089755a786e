/** What went wrong, in the words of whatever was thrown. What has none, or fails to say them, is told as that. */
export function errorMessage(error: unknown): string {
  try {
    if (typeof error !== "object" || error === null) return String(error) || wordless;
    // What a library throws may be like an error and none.
    if ("message" in error && typeof error.message === "string") return error.message || nameOf(error) || wordless;
    return saidBy(error);
  } catch {
    return wordless;
  }
}

const wordless = "something without words was thrown";

const nameOf = (error: object): string => ("name" in error && typeof error.name === "string" ? error.name : "");

/** What is in an object may be somebody's: it says what it says by itself, which of most is nothing. */
function saidBy(error: object): string {
  const said = String(error);
  return said === "" || said === "[object Object]" ? wordless : said;
}
