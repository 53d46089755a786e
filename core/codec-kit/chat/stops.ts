/** Stop sequences that say something; undefined where none does: some vendors refuse an empty list, and an empty text. */
export function saidStops(stop: readonly string[] | undefined): readonly string[] | undefined {
  if (!stop || stop.length === 0) return undefined;
  if (!stop.includes("")) return stop;
  const said = stop.filter((text) => text !== "");
  return said.length > 0 ? said : undefined;
}

/** Those of them that are not of white space only, for models that refuse such; tells when there were some. */
export function visibleStops(
  stop: readonly string[] | undefined,
  report: (dropped: string) => void,
): readonly string[] | undefined {
  const said = saidStops(stop);
  if (!said || said.every(isVisible)) return said;
  report("stop");
  return saidStops(said.filter(isVisible));
}

/** As many of them as a vendor takes; tells when there were more. */
export function fewStops(
  stop: readonly string[] | undefined,
  most: number,
  report: (dropped: string) => void,
): readonly string[] | undefined {
  const said = saidStops(stop);
  if (!said || said.length <= most) return said;
  report("stop");
  return said.slice(0, most);
}

const isVisible = (text: string): boolean => text.trim() !== "";
