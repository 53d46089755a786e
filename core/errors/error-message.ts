/** What went wrong, in the words of whatever was thrown. What has none, or fails to say them, is told as that. */
export function errorMessage(error: unknown): string {
  try {
    // What a library throws may be like an error and none.
    if (typeof error === "object" && error !== null && "message" in error && typeof error.message === "string")
      return error.message || nameOf(error) || wordless;
    return typeof error === "object" && error !== null ? saidBy(error) : String(error) || wordless;
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
