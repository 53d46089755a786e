import { environmentVariable } from "../../core/provider-kit/index.ts";

/** Of a name or a value: what the vendor takes in a label (providers.md section 8.3). */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "_")
    .slice(0, 63);

/** What the gateway knows of a request, as labels for the bill of the vendor; undefined where that is nothing. */
export function labelsOf(
  metadata: Readonly<Record<string, string>>,
): { readonly labels: Readonly<Record<string, string>> } | undefined {
  const prefix = environmentVariable("METADATA_MAP_KEY_PREFIX") ?? "gateway_";
  const labels: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata)) if (value !== "") labels[plain(prefix + name)] = plain(value);
  return Object.keys(labels).length > 0 ? { labels } : undefined;
}
