import { z } from "zod";
import type { Ask, OutboundAnswer } from "./http/upstream/outbound.ts";
import type { Headers } from "./model/headers.ts";

const isListsAddress = (url: string): boolean => /^https:\/\//i.test(url) && URL.canParse(url) && !/[?#]/.test(url);

/** Options of one address for the lists of all vendors (operations.md section 3.11); `serves` says what is to be had there. */
export const listsProxyFields = (serves: string) => ({
  enabled: z
    .boolean()
    .default(false)
    .describe("Whether it is asked, before `sources`. ${MODEL_CONFIGS_PROXY_FETCH_ENABLED:-false}"),
  url: z
    .string()
    .refine(isListsAddress, "an https:// address, with no query")
    .optional()
    .describe(`${serves} \${MODEL_CONFIGS_PROXY_URL}`),
});

/** What holds between them, for `refine`. */
export const listsProxyRule = [
  ({ enabled, url }: { readonly enabled: boolean; readonly url?: string | undefined }): boolean =>
    !enabled || url !== undefined,
  { path: ["url"], error: "missing: say which address is asked, or set enabled to false" },
] as const satisfies [(value: never) => boolean, { path: string[]; error: string }];

const longest = 30_000;
const mostBytes = 32 * 1024 * 1024;

/** Asks for a list. The address is checked as one of anybody else. */
export const askForList = (ask: Ask, url: string, headers: Headers = {}): Promise<OutboundAnswer> =>
  ask({
    method: "GET",
    url,
    headers: { accept: "application/json", ...headers },
    trusted: false,
    timeout: longest,
    mostBytes,
  });
