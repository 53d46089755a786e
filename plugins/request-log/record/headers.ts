import { createHash } from "node:crypto";
import { type Exchange, isSecretName, maskedUrl, maskedValue, withoutSecrets } from "../../../core/index.ts";

type Values = Readonly<Record<string, string | string[] | number | undefined>>;

/** What is hidden in the headers of one record, besides what always is. */
export interface Hidden {
  /** Names of which only a digest is kept, lower case. */
  readonly digested?: ReadonlySet<string> | undefined;
  /** Names that are masked, lower case. */
  readonly masked?: ReadonlySet<string> | undefined;
  /** Texts that are masked wherever they stand. */
  readonly secrets: readonly string[];
}

/** Headers as they may be kept (observability.md section 6). `sensitive` are those of which only a digest is kept. */
export function headerRedaction(sensitive: readonly string[]) {
  const always = new Set(sensitive);
  const shown = (name: string, value: string, { digested, masked, secrets }: Hidden): string => {
    if (always.has(name) || digested?.has(name)) return digestOf(value);
    if (masked?.has(name) || isSecretHeader(name)) return maskedValue(value);
    for (const secret of secrets) if (secret.length > 3 && value.includes(secret)) return maskedValue(value);
    return value;
  };
  return {
    headers(values: Values, hidden: Hidden): Record<string, string> {
      const kept: Record<string, string> = {};
      for (const name in values) {
        const value = values[name];
        if (value !== undefined) kept[name] = shown(name, Array.isArray(value) ? value.join(", ") : `${value}`, hidden);
      }
      return kept;
    },
    /** Those of the gateway's own that the client sent. */
    gatewayHeaders({ headers, gatewayHeaders }: Exchange, hidden: Hidden): Record<string, string> {
      const prefix = gatewayHeaders.nameOf("");
      const kept: Record<string, string> = {};
      for (const name in headers) {
        if (!name.startsWith(prefix)) continue;
        const value = headers[name];
        if (value === undefined) continue;
        const text = Array.isArray(value) ? value.join(",") : value;
        kept[name] = name === `${prefix}config` ? shownConfig(text) : shown(name, text, hidden);
      }
      return kept;
    },
  };
}

export type HeaderRedaction = ReturnType<typeof headerRedaction>;

const isSecretHeader = (name: string): boolean => isSecretName(name) || name.includes("-secret");

const digestOf = (value: string): string => `sha256:${createHash("sha256").update(value).digest("hex").slice(0, 16)}`;

/** An inline config may hold credentials; a slug holds none. */
function shownConfig(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    return JSON.stringify(withoutSecrets(JSON.parse(text)), withoutSecretUrls);
  } catch {
    return maskedValue("");
  }
}

const withoutSecretUrls = (_name: string, value: unknown): unknown =>
  typeof value === "string" ? maskedUrl(value, { mask: maskedValue }) : value;

/** `x-gateway-sensitive-headers`: a comma list, or a JSON array. */
export function namesIn(value: string | undefined): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  const names = value.replace(/^\s*\[|\]\s*$/g, "").split(",");
  return new Set(
    names.map((name) =>
      name
        .trim()
        .replace(/^["']|["']$/g, "")
        .toLowerCase(),
    ),
  );
}
