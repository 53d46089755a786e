import { type Exchange, GatewayError, isRecord, isSecretName, jsonOr, type SealingService } from "../../core/index.ts";

/** Headers a batch may not bring along: who asks is known, and what others set is not for callers. */
const refused = /-(?:api-key|nitro-mode|default-(?:in|out)put-guardrails)$/;

/** Every batch has a trace of its own, unless it says another one. */
const ending = "trace-id";

const optionName = /^x-[a-z0-9-]{1,100}$/;

/** The headers that `gateway_options` say, for everything that is sent for a batch. */
export function headersIn(options: unknown, { gatewayHeaders }: Exchange, id: string): Record<string, string> {
  const headers: Record<string, string> = { [gatewayHeaders.nameOf(ending)]: id };
  if (options === undefined || options === null) return headers;
  if (!isRecord(options)) throw wrong("gateway_options must be an object of headers.");
  for (const [given, value] of Object.entries(options)) {
    const name = given.toLowerCase();
    if (!optionName.test(name) || refused.test(name))
      throw wrong(
        `gateway_options.${given} is no header that a batch may bring along: they are named like ${gatewayHeaders.nameOf("config")}.`,
      );
    if (value === null || value === undefined) continue;
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    if (/[\r\n\0]/.test(text)) throw wrong(`gateway_options.${given} must be one line.`);
    headers[name] = text;
  }
  return headers;
}

/** What the gateway's own headers begin with where the batch is from: there is always one. */
export function prefixOf(headers: Readonly<Record<string, string>>): string {
  const known = Object.keys(headers).find((name) => name.endsWith(ending)) ?? "";
  return known.slice(0, -ending.length);
}

const wrong = (message: string): GatewayError =>
  new GatewayError("invalid_request", message, { param: "gateway_options" });

/** Keeps headers between the request that brought them and the work, which may be another process's. */
export class HeaderKeeper {
  readonly #sealing: SealingService | undefined;

  constructor(sealing: SealingService | undefined) {
    this.#sealing = sealing;
  }

  async kept(tenant: string, id: string, headers: Readonly<Record<string, string>>): Promise<string> {
    const text = JSON.stringify(headers);
    if (this.#sealing) return this.#sealing.seal(tenant, id, text);
    const secret = Object.entries(headers).find(([name, value]) => holdsSecret(name, value));
    if (secret)
      throw wrong(
        `gateway_options.${secret[0]} holds a secret, and this gateway has nothing to encrypt it with (plugin encryption): ` +
          "name a saved config or a saved provider.",
      );
    return text;
  }

  async opened(tenant: string, id: string, kept: string): Promise<Readonly<Record<string, string>>> {
    const text = kept.startsWith("{") ? kept : await this.#sealing?.open(tenant, id, kept);
    if (text === undefined)
      throw new GatewayError(
        "secret_unavailable",
        "The options of this batch are encrypted, and nothing here opens them.",
      );
    return JSON.parse(text) as Record<string, string>;
  }
}

const holdsSecret = (name: string, value: string): boolean =>
  isSecretName(name) || (value.startsWith("{") && hasSecret(jsonOr(value)));

const hasSecret = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasSecret)
    : isRecord(value) && Object.entries(value).some(([name, one]) => isSecretName(name) || hasSecret(one));
