/** A JSON object somebody sent: nothing about it is certain. */
export type Wire = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Wire =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of what is an object; nothing else has any. */
export const fieldsOf = (value: unknown): Wire => (isRecord(value) ? value : {});

export const recordsIn = (value: unknown): Wire[] => (Array.isArray(value) ? value.filter(isRecord) : []);

export const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

export const numberIn = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** One text or a list of texts, as a list without the empty ones. */
export const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string" && one !== "");

/** A request the simulated vendor refuses. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** How many answers are wanted. */
export function countIn(value: unknown): number {
  const count = numberIn(value) ?? 1;
  if (!Number.isInteger(count) || count < 1 || count > 128) throw new Refusal(400, "n must be between 1 and 128.");
  return count;
}
