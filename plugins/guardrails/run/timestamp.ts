let second = -1;
let head = "";

/** Now, as ISO 8601. All but the milliseconds is written out once in a second. */
export function timestamp(): string {
  const now = Date.now();
  const whole = Math.floor(now / 1000);
  if (whole !== second) {
    second = whole;
    head = new Date(now).toISOString().slice(0, -"000Z".length);
  }
  return `${head}${String(now - whole * 1000).padStart(3, "0")}Z`;
}
