/** Stop sequences without those of white space only, for models that refuse them; tells when there were such. */
export function visibleStops(
  stop: readonly string[] | undefined,
  report: (dropped: string) => void,
): readonly string[] | undefined {
  if (!stop || stop.every(isVisible)) return stop;
  report("stop");
  const kept = stop.filter(isVisible);
  return kept.length > 0 ? kept : undefined;
}

const isVisible = (text: string): boolean => text.trim() !== "";
