import { CheckError, type CheckRequest, type CheckTools } from "../../core/index.ts";

/** Most redirections that are followed (operations.md section 9.6). */
const mostHops = 5;

/**
 * The bytes at an address that stood in a text. Redirections are followed: each address is held to the rules as the first one,
 * and none leads from https to http. Throws CheckError. `until`: when the last of them is given up, as `tools.now()` tells the time.
 */
export async function download(
  first: string,
  tools: Pick<CheckTools, "ask" | "now">,
  { until, ...request }: Pick<CheckRequest, "headers" | "mostBytes"> & { readonly until: number },
): Promise<Uint8Array> {
  let url = first;
  for (let hop = 0; hop <= mostHops; hop++) {
    const left = Math.max(1, until - tools.now());
    const asked = { ...request, method: "GET" as const, url, found: true, bytes: true, redirections: true };
    const { status, headers, bytes = new Uint8Array() } = await tools.ask({ ...asked, timeout: left });
    if (status < 300) return bytes;
    url = nextOf(url, headers.location);
  }
  throw new CheckError(`It redirects more than ${mostHops} times.`, { label: "HttpError" });
}

function nextOf(url: string, location: string | string[] | undefined): string {
  const [where = ""] = [location ?? ""].flat();
  if (!URL.canParse(where, url))
    throw new CheckError("It redirects to what is not an address.", { label: "HttpError" });
  const { protocol, href } = new URL(where, url);
  const isWorse = protocol !== "https:" && (protocol !== "http:" || new URL(url).protocol === "https:");
  if (isWorse) throw new CheckError(`It redirects to ${protocol.slice(0, -1)}.`, { label: "HttpError" });
  return href;
}
