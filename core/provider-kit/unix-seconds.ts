/** A time as vendors write it (ISO 8601) in the way clients read it: whole seconds since 1970. Undefined where it is none. */
export function unixSeconds(time: unknown): number | undefined {
  if (typeof time === "number" && Number.isFinite(time)) return Math.floor(time);
  const milliseconds = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}
