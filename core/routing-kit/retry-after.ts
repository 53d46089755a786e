/** In this order; the first that is there counts, even when it cannot be read. Units in milliseconds. */
const sources = [
  ["retry-after-ms", 1],
  ["x-ms-retry-after-ms", 1],
  ["retry-after", 1000],
] as const;

type Headers = Readonly<Record<string, string | readonly string[] | number | undefined>>;

/**
 * How long the headers of an answer ask to be left alone (routing-config.md section 8.4), in milliseconds; undefined where they
 * do not say so intelligibly. `now` is Unix milliseconds.
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  for (const [name, unit] of sources) {
    const value = [headers[name]].flat()[0]?.toString().trim();
    if (value === undefined) continue;
    const wait = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * unit : dateIn(value) - now;
    return wait > 0 ? Math.ceil(wait) : undefined;
  }
  return undefined;
}

/** The three forms of a date in HTTP begin with the day of the week; the oldest leaves out that it means GMT. */
const dateIn = (value: string): number =>
  /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(value)
    ? Date.parse(value.endsWith("GMT") ? value : `${value} GMT`)
    : Number.NaN;
