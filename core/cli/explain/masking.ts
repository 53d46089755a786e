import type { IncomingHttpHeaders } from "node:http";
import type { Headers } from "../../model/headers.ts";
import { queryOf } from "../../pipeline/request/query-of.ts";
import { isSensitiveName, maskedCredential, maskOf, veiled } from "../secrets.ts";

/** What a caller brought along that must not be shown: credentials in headers and in the query. */
export function callerSecrets(headers: IncomingHttpHeaders, url: string): string[] {
  const values = Object.entries(headers)
    .filter(([name]) => isSensitiveName(name))
    .flatMap(([, value]) => [value ?? []].flat())
    .map((value) => value.replace(/^[A-Za-z][\w-]*\s+/, "").trim());
  const query = [...queryOf(url)].filter(([name]) => isSensitiveName(name)).map(([, value]) => value);
  return [...values, ...query].filter((value) => value !== "");
}

export interface HeaderOrigin {
  /** What the provider builds. */
  readonly own: Headers;
  /** Names the config file sets, in lower case: their values are plain text there, and may be anything. */
  readonly configured: ReadonlySet<string>;
  readonly secrets: readonly string[];
}

/** A long run of characters with a digit in it, as in a token of an unusual header. */
const opaque = /(?=[A-Za-z+/=_]*\d)[A-Za-z0-9+/=_]{16,}/;

/** Headers as they may be seen. */
export const maskedHeaders = (headers: Headers, { own, configured, secrets }: HeaderOrigin): Headers =>
  Object.fromEntries(
    Object.entries(headers)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => {
        const credential = isSensitiveName(name) || configured.has(name) || (name in own && opaque.test(value));
        return [name, credential ? maskedCredential(value) : veiled(value, secrets)];
      }),
  );

/** A URL as it may be seen: without a password in it, and without keys in its query. */
export function maskedUrl(url: string, secrets: readonly string[]): string {
  const [address = "", query] = url.split(/\?(.*)/s);
  const open = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1***@");
  return veiled(query === undefined ? open : `${open}?${query.split("&").map(maskedParameter).join("&")}`, secrets);
}

function maskedParameter(parameter: string): string {
  const [name = "", value] = parameter.split(/=(.*)/s);
  return value !== undefined && isSensitiveName(name) ? `${name}=${maskOf(value)}` : parameter;
}
