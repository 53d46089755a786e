import { masked } from "./masking.ts";
import { isSecretParameter } from "./redaction.ts";

/** How what is secret in a URL is shown. */
export interface UrlMasking {
  readonly mask?: (secret: string) => string;
  /** Names of parameters whose values are secrets, besides those that are anyway. */
  readonly isSecret?: (name: string) => boolean;
}

/** Blanks before an address are none of it to whoever calls it. */
const parts = /^(\s*[a-z][a-z0-9+.-]*:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;

/**
 * A URL as it may be shown: without user and password, without what its query has of secrets, and where its host is known
 * for keys in paths, without that. Of anything else not a byte changes, and what is masked stays as it is.
 */
export function maskedUrl(url: string, { mask = masked, isSecret = none }: UrlMasking = {}): string {
  const found = parts.exec(url);
  if (!found) return url;
  const [, scheme = "", user, host = "", path = "", query = "", fragment = ""] = found;
  const anonymous = user === undefined ? "" : `${user.split(":").map(orEmpty(mask)).join(":")}@`;
  const shown = query
    .slice(1)
    .split("&")
    .map((pair) => {
      const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
      const hides = isSecretParameter(name) || keyLike.test(value) || isSecret(name);
      return value !== "" && hides ? `${name}=${mask(value)}` : pair;
    });
  return scheme + anonymous + host + maskedPath(host, path, mask) + (query && `?${shown.join("&")}`) + fragment;
}

const none = () => false;
const orEmpty = (mask: (secret: string) => string) => (text: string) => (text === "" ? "" : mask(text));

/** A value that looks like a key: long, of letters and digits. */
const keyLike = /^(?=.*\d)(?=.*[a-z])[\w~.+/=%-]{20,}$/i;

/** Hosts whose addresses are keys themselves, and how their paths begin before that. */
const keysInPaths: readonly (readonly [host: RegExp, before: RegExp])[] = [
  [/^hooks\.slack\.com$/, /^\/[^/]+\//],
  [/(?:^|\.)discord(?:app)?\.com$/, /^\/api\/(?:v\d+\/)?webhooks\/[^/]+\//],
  [/\.webhook\.office\.com$|^outlook\.office(?:365)?\.com$/, /^\/webhook(?:b2)?\//],
  [/^hooks\.zapier\.com$/, /^\/hooks\/catch\//],
  [/^hook\.(?:[\w-]+\.)?make\.com$|^webhook\.site$/, /^\//],
  [/^maker\.ifttt\.com$/, /^\/trigger\/.*\/key\//],
  [/^api\.telegram\.org$/, /^\/bot/],
  [/^events\.(?:eu\.)?pagerduty\.com$/, /^\/(?:integration|x-ere)\//],
];

function maskedPath(host: string, path: string, mask: (secret: string) => string): string {
  const name = host.replace(/:\d*$/, "").toLowerCase();
  const before = keysInPaths.find(([known]) => known.test(name))?.[1].exec(path)?.[0];
  return before === undefined || before === path ? path : before + mask(path.slice(before.length));
}
