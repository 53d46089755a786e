/** Node reads headers as Latin-1; most clients write UTF-8 into them. Text that is not UTF-8 was meant as it came. */
export function headerText(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}
