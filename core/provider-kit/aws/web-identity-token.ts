import { codeOf } from "../../errors/code-of.ts";
import { identityNetwork } from "../../http/upstream/identity-network.ts";
import { noToken } from "../fetch-token.ts";
import { xmlText } from "../xml-text.ts";
import { machineCredentials } from "./credentials.ts";
import { signatureOf } from "./sign.ts";

export interface WebIdentityRequest {
  /** Whose token it becomes, by the provider's name: for messages. */
  readonly provider: string;
  /** What whoever runs the gateway can look at when there is none. */
  readonly check: string;
  /** Whom the token is for: `api://AzureADTokenExchange`. */
  readonly audience: string;
  readonly region: string;
  /** Absent: the endpoint of the region. The global one has no such tokens. */
  readonly stsUrl: string | undefined;
}

/** Milliseconds the service may take. */
const deadline = 10_000;

/**
 * A JWT by which others than AWS know this machine as what it is at AWS (docs.aws.amazon.com, STS, GetWebIdentityToken). It is exchanged
 * at once, so that its shortest life is long enough.
 */
export async function webIdentityToken(request: WebIdentityRequest): Promise<string> {
  const { audience, region, stsUrl = `https://sts.${region}.amazonaws.com` } = request;
  const url = `${stsUrl.replace(/\/+$/, "")}/`;
  const failure = { ...request, url };
  const form = new URLSearchParams({
    Action: "GetWebIdentityToken",
    Version: "2011-06-15",
    "Audience.member.1": audience,
    SigningAlgorithm: "RS256",
    DurationSeconds: "300",
  });
  const body = Buffer.from(form.toString());
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const call = { method: "POST", url, headers, body };
  const signature = await signatureOf(call, await machineCredentials(region)(), { region, service: "sts" });
  const ask = identityNetwork()?.fetch ?? fetch;
  const unreachable = (cause: unknown): never => {
    throw noToken(failure, "upstream_unreachable", `it cannot be reached${codeOf(cause)}`, cause);
  };
  const response = await ask(url, {
    method: "POST",
    headers: { ...headers, ...signature },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(deadline),
  }).catch(unreachable);
  const answer = await response.text().catch(unreachable);
  if (!response.ok) {
    const code = response.status >= 500 || response.status === 429 ? "upstream_unreachable" : "credential_missing";
    throw noToken(failure, code, `it answered ${response.status}${wordIn(answer)}`);
  }
  const token = xmlText(answer, "WebIdentityToken");
  if (!token) throw noToken(failure, "upstream_unreachable", "its answer holds no WebIdentityToken");
  return token;
}

/** The code of an error, which the service chose. */
function wordIn(answer: string): string {
  const code = xmlText(answer, "Code");
  return code !== undefined && /^[\w.]{1,64}$/.test(code) ? ` ${code}` : "";
}
