/** A part of an address as it is meant. One that is not written as parts of addresses are stands for itself. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
