/** Where in the file something stands: `["plugins", "rate-limits", "value"]`. */
export type Path = readonly (string | number)[];

/** A path as one would write it in code. */
export const dotted = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[\w$-]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
