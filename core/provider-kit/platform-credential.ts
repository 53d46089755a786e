import { readFile } from "node:fs/promises";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Headers } from "../model/headers.ts";
import { fetchToken, type TokenRequest } from "./fetch-token.ts";
import { TokenCache } from "./token-cache.ts";

/** Tokens by what was said for them, for all generations of the config. */
const tokens = new TokenCache();

export interface PlatformIdentity extends Pick<TokenRequest, "provider" | "check" | "url" | "headers"> {
  /** The file in which the platform (Kubernetes, a cloud) keeps a token that says who this machine is. */
  readonly file: string;
  /** What the option is called that names it. */
  readonly option: string;
  /** What the vendor is asked with, around that token. */
  readonly json: (token: string) => Readonly<Record<string, string>>;
}

/**
 * The headers of a vendor's token for what the platform says of this machine (workload identity federation), asked for before each
 * call. The file is read anew for each token: what it holds expires, and is replaced.
 */
export function platformCredential(identity: PlatformIdentity): () => Promise<Headers> {
  const { json, ...request } = identity;
  const { url, file, headers = {} } = request;
  const source = tokens.source([url, file, JSON.stringify([headers, json("")])], () => ({
    fetch: async () => fetchToken({ ...request, json: json(await tokenInFile(request)) }),
  }));
  return async () => ({ authorization: `Bearer ${(await source()).text}` });
}

/** The token a platform keeps in a file. */
export const tokenInFile = ({
  provider,
  option,
  file,
}: Pick<PlatformIdentity, "provider" | "option" | "file">): Promise<string> =>
  readFile(file, "utf8").then(
    (text) => text.trim(),
    (cause: NodeJS.ErrnoException) => {
      const message = `${provider}: ${option} ${file} cannot be read (${cause.code}).`;
      throw new GatewayError("credential_missing", message, { provider }, { cause });
    },
  );
