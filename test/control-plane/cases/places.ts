/** Paths into bodies: `users[0].role`. */

const stepsOf = (place: string): string[] => place.split(/[.[\]]+/).filter(Boolean);

type Box = Record<string, unknown>;

/** A copy of a value with something else at a place, or nothing; what is not there above it is made. */
export const changed = (whole: unknown, place: string, value: unknown): unknown =>
  changedAt(structuredClone(whole), stepsOf(place), value);

function changedAt(whole: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const box = (whole ?? (/^\d+$/.test(step) ? [] : {})) as Box;
  const inside = changedAt(box[step], rest, value);
  if (inside === undefined) delete box[step];
  else box[step] = inside;
  return box;
}

/** What is at a place. */
export const at = (whole: unknown, place: string): unknown =>
  stepsOf(place).reduce<unknown>((box, step) => (box as Box | undefined)?.[step], whole);

/** Every text in a value, with its place. */
export function textsIn(value: unknown, place = ""): (readonly [place: string, text: string])[] {
  if (typeof value === "string") return [[place, value]];
  if (Array.isArray(value)) return value.flatMap((one, index) => textsIn(one, `${place}[${index}]`));
  if (!isPlain(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, place === "" ? name : `${place}.${name}`));
}

export const isPlain = (value: unknown): value is Box =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
