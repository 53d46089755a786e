/** What a vendor does not know of the words of a comma-separated header, and what it knows by another name. */
export interface WordTable {
  readonly deny?: readonly (string | RegExp)[];
  readonly rename?: Readonly<Record<string, string>>;
}

/** Reads a comma-separated header for a vendor; undefined when nothing of it is left. Unknown words stay. */
export const wordFilter =
  ({ deny = [], rename = {} }: WordTable) =>
  (value: string): string | undefined => {
    const words = value
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "" && !deny.some((one) => (typeof one === "string" ? one === word : one.test(word))))
      .map((word) => (Object.hasOwn(rename, word) ? rename[word] : word));
    return words.length > 0 ? [...new Set(words)].join(",") : undefined;
  };
