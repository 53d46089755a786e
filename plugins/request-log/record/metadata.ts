/** Longest value of metadata that is kept (observability.md section 7). */
const longestValue = 128;

const specialKeys = ["_user", "_environment", "_organisation", "_prompt"] as const;
type Special = { [Key in (typeof specialKeys)[number]]?: string };

/** Metadata as rows have it: some keys are columns of their own, the others two lists side by side. */
export function rowMetadata(pairs: Iterable<readonly [string, string]>) {
  const keys: string[] = [];
  const values: string[] = [];
  const special: Special = {};
  for (const [key, value] of pairs) {
    const cut = value.length > longestValue ? value.slice(0, longestValue).replace(/[\ud800-\udbff]$/, "") : value;
    if (isSpecial(key)) special[key] = cut;
    else {
      keys.push(key);
      values.push(cut);
    }
  }
  return { "metadata.key": keys, "metadata.value": values, special };
}

const isSpecial = (key: string): key is keyof Special => (specialKeys as readonly string[]).includes(key);
