import {
  bearer,
  type CommonOptions,
  environmentVariable,
  type Headers,
  platformCredential,
  z,
} from "../../core/provider-kit/index.ts";

const id = (what: string) => z.string().min(1).exactOptional().describe(what);

/** Workload identity federation (platform.claude.com, "WIF reference"): what the platform says of this machine, in place of a key. */
export const federationOptions = {
  federationRuleId: id(
    "The rule by which the vendor trusts what the platform says of this machine, where no apiKey is given: fdrl_…",
  ),
  organizationId: id("The organization of that rule."),
  serviceAccountId: id("The service account of the rule that is meant, where there are several."),
  workspaceId: id("The workspace that is meant, where the rule is for several."),
  identityTokenFile: id(
    "The file in which the platform keeps its token for this machine. Absent: ANTHROPIC_IDENTITY_TOKEN_FILE.",
  ),
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .default("https://api.anthropic.com/v1/oauth/token")
    .describe("Where tokens of the vendor are had for it."),
};

type Options = Pick<CommonOptions, "apiKey"> & z.output<z.ZodObject<typeof federationOptions>>;

const fileOf = ({ identityTokenFile }: Options): string | undefined =>
  identityTokenFile ?? environmentVariable("ANTHROPIC_IDENTITY_TOKEN_FILE");

/** What is missing for a federation that was begun. */
export function federationLacks(options: Options): string | undefined {
  if (options.apiKey || options.federationRuleId === undefined) return undefined;
  if (options.organizationId === undefined) return "organizationId beside federationRuleId";
  return fileOf(options) === undefined
    ? "identityTokenFile, or the variable ANTHROPIC_IDENTITY_TOKEN_FILE, beside federationRuleId"
    : undefined;
}

const isFederated = (options: Options): boolean =>
  !options.apiKey && options.federationRuleId !== undefined && federationLacks(options) === undefined;

/** Tokens are taken with this beta only; keys without. */
const oauth = "oauth-2025-04-20";

/** Whether a token is shown. Those of subscriptions are not API keys: the vendor takes them as bearer tokens only. */
const showsToken = (options: Options): boolean =>
  options.apiKey ? options.apiKey.reveal().startsWith("sk-ant-oat") : isFederated(options);

const withOAuth = (betas: string): string =>
  betas.split(",").some((beta) => beta.trim() === oauth) ? betas : `${betas},${oauth}`;

/** What the vendor is told of betas, whoever asked for them. */
export const betaFilters = (options: Options) => (showsToken(options) ? { "anthropic-beta": withOAuth } : {});

/** The headers of a key or a token; a function where that has to be fetched. `more` goes with them. */
export function credentialOf(options: Options, more: Headers): Headers | (() => Promise<Headers>) | undefined {
  const { "anthropic-beta": beta } = more;
  const all = showsToken(options) ? { ...more, "anthropic-beta": beta ? withOAuth(beta) : oauth } : more;
  const { apiKey, tokenUrl, federationRuleId = "", organizationId = "", serviceAccountId, workspaceId } = options;
  if (apiKey) return { ...(showsToken(options) ? bearer(apiKey) : { "x-api-key": apiKey.reveal() }), ...all };
  if (!isFederated(options)) return undefined;
  const fetched = platformCredential({
    provider: "anthropic",
    check:
      "federationRuleId, organizationId, serviceAccountId, workspaceId and what the rule expects of the platform's token",
    url: tokenUrl,
    headers: { "anthropic-beta": `${oauth},oidc-federation-2026-04-01` },
    file: fileOf(options) ?? "",
    option: "identityTokenFile",
    json: (assertion) => ({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion,
      federation_rule_id: federationRuleId,
      organization_id: organizationId,
      ...(serviceAccountId !== undefined && { service_account_id: serviceAccountId }),
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    }),
  });
  return async () => ({ ...(await fetched()), ...all });
}
