/** What the data of one check may come to in a record and in an answer, in characters. */
export const mostData = 65_536;
const mostMessage = 2_000;
const deepest = 32;

/** Data of a check as it can be written down: JSON, and not without bounds. */
export function boundedData(data: unknown): unknown {
  const size = sizeOf(data, mostData, deepest);
  if (size <= mostData) return data;
  const text = typeof data === "string" ? data : written(data);
  if (text === undefined) return { truncated: true, explanation: "The data of the check cannot be written as JSON." };
  // It is plain after all: a date, or something else that knows how it is written.
  if (typeof data !== "string" && text.length <= mostData) return JSON.parse(text);
  return { truncated: true, characters: text.length, excerpt: text.slice(0, mostMessage) };
}

export const boundedMessage = (message: string): string =>
  message.length > mostMessage ? `${message.slice(0, mostMessage)}...` : message;

/** About how long it is as JSON; endless where it is longer than what is left, too deep, or no plain JSON. */
function sizeOf(value: unknown, left: number, depth: number): number {
  switch (typeof value) {
    case "string":
      return value.length + 2;
    case "number":
    case "boolean":
    case "undefined":
      return 8;
    case "object":
      return value === null ? 4 : sizeOfObject(value, left, depth);
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function sizeOfObject(value: object, left: number, depth: number): number {
  if (depth === 0 || "toJSON" in value) return Number.POSITIVE_INFINITY;
  let size = 2;
  for (const key in value) {
    size += key.length + 4 + sizeOf((value as Record<string, unknown>)[key], left - size, depth - 1);
    if (size > left) return Number.POSITIVE_INFINITY;
  }
  return size;
}

function written(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}
