import type { Credentials } from "./renewed.ts";
import { presignedQuery } from "./sign.ts";

/** Seconds a token is good for: as long as AWS lets one be. */
const life = 43_200;
/** Milliseconds a token is shown for before another one is made. */
const kept = 3_600_000;

interface Kept {
  readonly scope: string;
  readonly text: string;
  readonly until: number;
}

/** The last token of credentials: those that are renewed are another object. */
const known = new WeakMap<Credentials, Kept>();

/**
 * A bearer token made of credentials, for APIs of a service that take no signatures: a signed call that nobody makes, in base64
 * (AWS's `aws-bedrock-token-generator`, `sagemaker.core.token_generator`).
 */
export async function bearerTokenOf(
  credentials: Credentials,
  { region, service, now = Date.now() }: { readonly region: string; readonly service: string; readonly now?: number },
): Promise<string> {
  const scope = `${region} ${service}`;
  const last = known.get(credentials);
  if (last && last.scope === scope && now < last.until) return last.text;
  const host = `${service}.amazonaws.com`;
  const query = await presignedQuery(
    { method: "POST", host, query: { Action: "CallWithBearerToken" } },
    credentials,
    { region, service, date: new Date(now) },
    life,
  );
  const text = `${service}-api-key-${Buffer.from(`${host}/?${query}&Version=1`).toString("base64")}`;
  known.set(credentials, { scope, text, until: now + kept });
  return text;
}
