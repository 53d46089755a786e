import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Environment } from "../environment.ts";
import { unbracketed } from "../http/host-names.ts";
import type { ProxyAddress, ProxyException, ProxySettings } from "../model/proxy.ts";
import { percentDecoded } from "../percent-decoded.ts";
import { Secret } from "../secrets/secret.ts";
import type { ConfigDocument } from "./document.ts";
import type { Path } from "./mistakes.ts";

/** What the file says of proxies: texts, not yet read. */
export interface WrittenProxies {
  readonly http?: Secret | undefined;
  readonly https?: Secret | undefined;
  readonly except?: readonly string[] | undefined;
}

/** A reading, or why there is none; the reason never holds what was read. */
type Read<Value> = { readonly value: Value } | { readonly problem: string };

const unusable = {
  problem: "is not the address of a proxy; write it as http://HOST:PORT or http://USER:PASSWORD@HOST:PORT",
};

/** The address of a proxy; without a scheme it is one that speaks plain HTTP, as for curl. */
export function proxyAddress(text: string): Read<ProxyAddress> {
  const whole = text.includes("://") ? text : `http://${text}`;
  if (text.startsWith("/") || !URL.canParse(whole)) return unusable;
  const { protocol, hostname, host, port, username, password, pathname, search, hash } = new URL(whole);
  const secure = protocol === "https:";
  if (!secure && protocol !== "http:")
    return { problem: "must begin with http:// or https://: other kinds of proxies are not spoken to" };
  const number = port === "" ? (secure ? 443 : 80) : Number(port);
  if (hostname === "" || number === 0 || pathname !== "/" || search !== "" || hash !== "") return unusable;
  const credentials =
    username === "" && password === "" ? undefined : `${percentDecoded(username)}:${percentDecoded(password)}`;
  return {
    value: {
      secure,
      hostname: unbracketed(hostname),
      port: number,
      name: port === "" ? `${host}:${number}` : host,
      ...(credentials !== undefined && {
        authorization: new Secret(`Basic ${Buffer.from(credentials).toString("base64")}`),
      }),
    },
  };
}

/**
 * An entry of NO_PROXY: `*`, `example.com`, `.example.com` and `*.example.com` (each the host and its subdomains), an
 * address, one of these with `:PORT`, or a range of addresses as in `10.0.0.0/8`.
 */
export function proxyException(entry: string): Read<ProxyException> {
  const text = entry.trim().toLowerCase();
  if (text === "*") return { value: { kind: "all" } };
  if (text.includes("/"))
    return isIP(text.slice(0, text.indexOf("/"))) && ipaddr.isValidCIDR(text)
      ? { value: { kind: "range", range: text } }
      : { problem: "is neither a host nor a range of addresses; write it as example.com or 10.0.0.0/8" };
  const [, bracketed, plain = "", port] = /^(?:\[(.*)\]|(.*?))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const bare = isIP(text) ? text : (bracketed ?? plain);
  const host = isIP(bare) ? ipaddr.parse(bare).toString() : bare.replace(/^\*?\./, "").replace(/\.$/, "");
  if (!isIP(host) && (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host) || /^[\d.]+$/.test(host)))
    return { problem: "is not a host, an address or a range of addresses" };
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return { problem: "has no port from 1 to 65535" };
  return { value: { kind: "host", host, ...(port !== undefined && !isIP(text) && { port: Number(port) }) } };
}

const variables = { http: ["http_proxy", "HTTP_PROXY"], https: ["https_proxy", "HTTPS_PROXY"] } as const;

/** The first of these variables that is set. One that names a file which cannot be read is reported. */
function namedBy(names: readonly string[], environment: Environment, document: ConfigDocument) {
  for (const name of names) {
    try {
      const text = environment.value(name);
      if (text !== undefined) return { name, text };
    } catch (cause) {
      document.report.add([], 0, cause instanceof Error ? cause.message : `${name} cannot be read`);
    }
  }
  return undefined;
}

/**
 * The proxies of the file, and of the environment what the file does not say. Each variable may be in lower case, which
 * comes first. Undefined where there is no proxy; what is wrong is reported.
 */
export function readProxies(
  written: WrittenProxies,
  document: ConfigDocument,
  environment: Environment,
): { readonly settings: ProxySettings | undefined; readonly warnings: readonly string[] } {
  const addressOf = (scheme: "http" | "https"): ProxyAddress | undefined => {
    const own = written[scheme];
    const variable = own ? undefined : namedBy(variables[scheme], environment, document);
    const text = own?.reveal() ?? variable?.text;
    if (!text) return undefined;
    const read = proxyAddress(text);
    if ("value" in read) return read.value;
    if (variable) document.report.add([], 0, `the environment variable ${variable.name} ${read.problem}`);
    else reportAt(["server", "proxy", scheme], read.problem, document);
    return undefined;
  };
  const proxies = { http: addressOf("http"), https: addressOf("https") };
  const { exceptions, warnings } = written.except
    ? { exceptions: listed(written.except, document), warnings: [] }
    : exceptionsOf(environment, document);
  const { http, https } = proxies;
  if (!http && !https) return { settings: undefined, warnings: [] };
  return { settings: { ...(http && { http }), ...(https && { https }), exceptions }, warnings };
}

const reportAt = (path: Path, problem: string, document: ConfigDocument) =>
  document.report.add(path, document.place(path).valueAt, problem);

/** In the file an entry that cannot be used is a mistake; in the variable, which other programs read too, it is left out. */
const listed = (entries: readonly string[], document: ConfigDocument): ProxyException[] =>
  entries.flatMap((entry, index) => {
    const read = proxyException(entry);
    if ("value" in read) return [read.value];
    reportAt(["server", "proxy", "except", index], read.problem, document);
    return [];
  });

function exceptionsOf(
  environment: Environment,
  document: ConfigDocument,
): { exceptions: ProxyException[]; warnings: string[] } {
  const variable = namedBy(["no_proxy", "NO_PROXY"], environment, document);
  const exceptions: ProxyException[] = [];
  const warnings: string[] = [];
  const entries = (variable?.text ?? "").split(/[,\s]+/).filter((entry) => entry !== "");
  for (const [index, entry] of entries.entries()) {
    const read = proxyException(entry);
    // By number and not by text: the value of a variable is never printed.
    if ("problem" in read) warnings.push(`${variable?.name}: entry ${index + 1} is left out: it ${read.problem}`);
    else exceptions.push(read.value);
  }
  return { exceptions, warnings };
}
