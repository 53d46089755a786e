import { codeOf } from "../../errors/code-of.ts";
import { askTokenServer, noToken, refusedToken } from "../fetch-token.ts";
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

/**
 * A JWT by which others than AWS know this machine as what it is at AWS (docs.aws.amazon.com, STS, GetWebIdentityToken). It is exchanged
 * at once, so that its shortest life is long enough.
 */
export async function webIdentityToken(request: WebIdentityRequest): Promise<string> {
  const { audience, region, stsUrl = `https://sts.${region}.amazonaws.com` } = request;
  const url = `${stsUrl.replace(/\/+$/, "")}/`;
  const failure = { ...request, url };
  const form = {
    Action: "GetWebIdentityToken",
    Version: "2011-06-15",
    "Audience.member.1": audience,
    SigningAlgorithm: "RS256",
    DurationSeconds: "300",
  };
  const body = Buffer.from(new URLSearchParams(form).toString());
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const call = { method: "POST", url, headers, body };
  const signature = await signatureOf(call, await machineCredentials(region)(), { region, service: "sts" });
  const response = await askTokenServer({ ...failure, headers: { ...headers, ...signature }, form });
  const answer = await response.text().catch((cause) => {
    throw noToken(failure, "upstream_unreachable", `it cannot be reached${codeOf(cause)}`, cause);
  });
  if (!response.ok) throw refusedToken(failure, response.status, wordIn(answer));
  const token = xmlText(answer, "WebIdentityToken");
  if (!token) throw noToken(failure, "upstream_unreachable", "its answer holds no WebIdentityToken");
  return token;
}

/** The code of an error, which the service chose. */
function wordIn(answer: string): string {
  const code = xmlText(answer, "Code");
  return code !== undefined && /^[\w.]{1,64}$/.test(code) ? ` ${code}` : "";
}
