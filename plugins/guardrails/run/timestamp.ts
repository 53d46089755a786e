let millisecond = -1;
let second = -1;
let head = "";
let text = "";

/** Now, as ISO 8601. It is written out once in a millisecond, and all but the milliseconds once in a second. */
export function timestamp(): string {
  const now = Date.now();
  if (now === millisecond) return text;
  const whole = Math.floor(now / 1000);
  if (whole !== second) {
    second = whole;
    head = new Date(now).toISOString().slice(0, -"000Z".length);
  }
  millisecond = now;
  text = `${head}${String(now - whole * 1000).padStart(3, "0")}Z`;
  return text;
}
