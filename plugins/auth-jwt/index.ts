import {
  AuditTrail,
  definePlugin,
  errorMessage,
  maskedSecret,
  OptionsError,
  Organisations,
  type PluginContext,
  Stage,
  serviceToken,
  settleTap,
  z,
} from "../../core/index.ts";
import { scopesIn } from "./claims.ts";
import { Door } from "./door.ts";
import { algorithms, readKeySet } from "./key-set.ts";
import { fixedKeys, type KeySource, LastSets, RemoteKeys } from "./key-source.ts";
import { KeySources } from "./key-sources.ts";
import { Tokens } from "./tokens.ts";
import type { Refusal } from "./verify.ts";

/** A list, also as the text with commas that a variable holds. */
const some = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((given) =>
    (typeof given === "string" ? given.split(",") : given).map((one) => one.trim()).filter(Boolean),
  );

const options = z.strictObject({
  jwksUrl: z
    .url({ protocol: /^https?$/ })
    .exactOptional()
    .describe(
      "Where the issuer publishes its keys; fetched when first needed, kept for a day. For organisations that name no key set in their settings.",
    ),
  jwks: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe("The keys themselves, as a JWKS object, instead of a URL. Public parts only."),
  algorithms: z
    .array(z.enum(algorithms))
    .default(["RS256"])
    .describe("Accepted signatures. With an empty list a key's own `alg` counts, and RS256 where it has none."),
  issuers: some.describe("Accepted values of `iss`; unset asks for nothing."),
  audiences: some.describe("Accepted values of `aud`; unset asks for nothing."),
  clockTolerance: z.int().min(0).max(600).default(60).describe("Seconds the issuer's clock may differ."),
  organisations: some.describe("Ids of the organisations tokens may be for; unset is the one of this installation."),
  workspaces: some.describe(
    "Ids or slugs of the workspaces tokens may be for; the first is for tokens that name none.",
  ),
  users: some.describe("Values of `sub` that may come in; unset is all."),
  defaultScopes: some.describe("Scopes of tokens that carry none: ${JWT_LOCAL_AUTH_DEFAULT_SCOPES:-}."),
});

const Last = serviceToken<LastSets>("last-sets");

export default definePlugin({
  name: "auth-jwt",
  summary: "Lets in who has a JSON Web Token of one's own identity provider.",
  options,
  needs: [Organisations],
  uses: [AuditTrail],
  setup({ service, offered, hooks, log, ask, kept }, given) {
    const organisations = service(Organisations);
    const trail = offered(AuditTrail);
    const now = Date.now;
    const last = kept(Last, () => new LastSets());
    const keys = keysOf(given, { ask, log, last });
    const sources = new KeySources({ algorithms: given.algorithms, ask, log, now, last });
    const door = new Door({
      own: keys && { keys, tokens: new Tokens(now) },
      issuerOf: (organisation, jwt) => sources.of(organisation, jwt),
      organisations,
      issuers: given.issuers,
      audiences: given.audiences,
      clockTolerance: given.clockTolerance,
      allowedOrganisations: given.organisations,
      allowedWorkspaces: given.workspaces,
      allowedUsers: given.users,
      defaultScopes: checkedScopes(given.defaultScopes),
      refused: atMost(20, now, (token, { code, message: reason }) => {
        log.debug("a token was refused", { token: maskedSecret(token), reason });
        if (!trail) return;
        const status = code === "forbidden" ? 403 : 401;
        const details = { event: "jwt_rejected", token: maskedSecret(token), reason };
        organisations.home().then(
          ({ organisation }) =>
            trail.event({ organisation, resource: "organisation", action: "manage", details, status }),
          (error: unknown) => log.warn("a refused token was not audited", { error }),
        );
      }),
      now,
    });
    // Before those who know keys: a token is none.
    hooks.auth.tapAsync({ name: "auth-jwt", stage: Stage.enrich }, (exchange, done) => {
      settleTap(door.admit(exchange), done);
    });
  },
});

function keysOf(
  { jwksUrl, jwks, algorithms }: z.output<typeof options>,
  { ask, log, last }: Pick<PluginContext, "ask" | "log"> & { readonly last: LastSets },
): KeySource | undefined {
  if (jwks && jwksUrl) throw new OptionsError({ path: ["jwksUrl"], message: "excludes jwks: give one of them" });
  if (jwksUrl) return new RemoteKeys({ url: jwksUrl, algorithms, ask, log, now: Date.now, last, trusted: true });
  if (!jwks) {
    log.warn("auth-jwt has neither jwksUrl nor jwks: only tokens of organisations that name a key set are let in");
    return undefined;
  }
  try {
    const keys = readKeySet(jwks, algorithms);
    if (keys.size > 0) return fixedKeys(keys);
  } catch (error) {
    throw new OptionsError({ path: ["jwks"], message: errorMessage(error) });
  }
  throw new OptionsError({
    path: ["jwks"],
    message: "none of its keys can be used: they need kid, and RSA keys 2048 bits",
  });
}

function checkedScopes(given: readonly string[]): readonly string[] {
  const scopes = scopesIn(given) ?? [];
  if (scopes.length === new Set(given).size) return scopes;
  const message = `names scopes that a token cannot have; it can have ${scopes.join(", ") || "none of them"}`;
  throw new OptionsError({ path: ["defaultScopes"], message });
}

/** So many in a second are told; a flood of bad tokens fills no trail. */
function atMost(
  most: number,
  now: () => number,
  tell: (token: string, refusal: Refusal) => void,
): (token: string, refusal: Refusal) => void {
  let second = 0;
  let told = 0;
  return (token, refusal) => {
    const current = Math.floor(now() / 1000);
    if (current !== second) told = 0;
    second = current;
    if (++told <= most) tell(token, refusal);
  };
}
