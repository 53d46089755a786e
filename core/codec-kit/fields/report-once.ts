/** Tells of each name once, however often it is said. */
export function reportOnce(report: (name: string) => void): (name: string) => void {
  const reported = new Set<string>();
  return (name) => {
    if (reported.has(name)) return;
    reported.add(name);
    report(name);
  };
}
