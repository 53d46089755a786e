import { isRecord, jsonOr } from "../codec-kit/records.ts";
import { Secret } from "../secrets/secret.ts";
import { hiddenUrl } from "../secrets/secret-url.ts";

const header = /auth|key|token|secret|cookie|password|signature/i;
const credential = /key|token|secret|password/i;
const parameter = /(?:token|secret|password|(?:api|private|access)[_-]?key)$/i;
const address = /(?:url|uri|endpoint|host|base|domain)$/i;

/** Checks as they were written, in whichever form, with the credentials among their parameters, headers and addresses as `Secret`s. */
export function withHiddenCredentials(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(withHiddenCredentials);
  return mapped(written, (name, value) => {
    if (name === "credentials") return inAll(value, credential);
    if (name === "headers") return inAll(headersIn(value), header);
    if (typeof value !== "string") return withHiddenCredentials(value);
    return hidden(name, value, parameter);
  });
}

/** They may be the text of a JSON object. */
function headersIn(value: unknown): unknown {
  const map = typeof value === "string" ? jsonOr(value) : undefined;
  return isRecord(map) ? map : value;
}

const inAll = (value: unknown, secrets: RegExp): unknown =>
  mapped(value, (name, one) => (typeof one === "string" ? hidden(name, one, secrets) : inAll(one, secrets)));

/** What is no secret as a whole may be an address with one in it. */
function hidden(name: string, text: string, secrets: RegExp): unknown {
  if (secrets.test(name)) return new Secret(text);
  return address.test(name) ? hiddenUrl(text) : text;
}

/** What is no map stays as it is. */
const mapped = (value: unknown, change: (name: string, one: unknown) => unknown): unknown =>
  isRecord(value) && !(value instanceof Secret)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(name, one)]))
    : value;
