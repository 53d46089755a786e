/** The second that was written last, in Unix seconds, and its text up to the point before the milliseconds. */
let second = Number.NaN;
let head = "";

/** What was written last of all: whoever keeps it reads it back soon after. */
let lastText = "";
let lastInstant = Number.NaN;

/** Unix milliseconds as ISO 8601. All but the milliseconds is written out once in a second. */
export function writtenInstant(instant: number): string {
  if (instant === lastInstant) return lastText;
  const whole = Math.floor(instant / 1000);
  if (whole !== second) {
    // First, as it throws where there is no such instant.
    head = new Date(instant).toISOString().slice(0, -"000Z".length);
    second = whole;
  }
  const milliseconds = instant - whole * 1000;
  const zeros = milliseconds < 10 ? "00" : milliseconds < 100 ? "0" : "";
  lastText = `${head}${zeros}${milliseconds}Z`;
  lastInstant = instant;
  return lastText;
}

/** The Unix milliseconds of a text; NaN where it is no instant. */
export const instantOf = (text: string): number => (text === lastText ? lastInstant : Date.parse(text));
