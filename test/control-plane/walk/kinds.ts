/** Kinds of records that a walk makes, as data (control-plane.md sections 5 to 13, 17 and 20). */

export type KindName =
  | "collections"
  | "labels"
  | "configs"
  | "guardrails"
  | "partials"
  | "prompts"
  | "integrations"
  | "providers"
  | "virtualKeys"
  | "usage"
  | "rates"
  | "keys"
  | "userKeys"
  | "secrets"
  | "deployments";

/** How one thing names another. */
export interface Link {
  /** Puts a reference where it is written. */
  write(ref: string): object;
  /** What naming something that is not there comes to. */
  readonly unknown: 400 | 404;
  readonly needed?: true;
  /** Whether it is named by its id, by its slug or, as chance has it, by either. */
  readonly by?: "id" | "slug";
  /** Whether another one may take its place later. */
  readonly changes?: true;
}

export interface Change {
  readonly sent: object;
  readonly shows: Record<string, unknown>;
}

export interface Kind {
  readonly name: KindName;
  readonly path: string;
  /** Where they are made, where that is elsewhere. */
  readonly made?: string;
  readonly owner: "workspace" | "organisation" | "either";
  readonly unseen: 403 | 404;
  /** Whether a list comes in pages, and whether one of the organisation has to say of which workspace. */
  readonly list: { readonly paged?: true; readonly ofPlace?: true };
  /** Whether callers may choose the slug, where it is unique then, and what one that is taken comes to. */
  readonly slug?: { readonly taken: 400 | 409; readonly within: "workspace" | "organisation" };
  /** Whether no two of a workspace share a name. */
  readonly uniqueName?: true;
  /** Whether a workspace that has one stays. */
  readonly blocks?: true;
  readonly nameless?: true;
  readonly links?: Readonly<Partial<Record<KindName, Link>>>;
  body(chance: number, secret: () => string, host: string): object;
  readonly shows: (chance: number) => Record<string, unknown>;
  readonly changes: readonly ((chance: number, secret: () => string) => Change)[];
}

const none = () => ({});
const described = (n: number): Change => ({ sent: { description: `d${n}` }, shows: { description: `d${n}` } });
const grouped = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };
const endsWith = (suffix: string) => [{ id: "default.endsWith", parameters: { suffix } }];
const scopes = (n: number) => (n % 4 === 0 ? ["logs.view"] : ["completions.write", "logs.view"]);
const tagged = (n: number): Change => ({ sent: { tags: { n: `${n}` } }, shows: { tags: { n: `${n}` } } });
const budget = (n: number) => ({ type: "tokens", credit_limit: 1000 + n, alert_threshold: 5 });

const key = {
  path: "/api-keys",
  owner: "workspace",
  unseen: 403,
  list: { paged: true },
  links: {
    configs: { write: (config_id: string) => ({ defaults: { config_id } }), unknown: 404, changes: true },
  },
  body: (n: number) => ({ scopes: scopes(n), alert_emails: ["a@example.org"] }),
  shows: (n: number) => ({ scopes: scopes(n), status: "active" }),
  changes: [
    described,
    (n: number) => ({ sent: { scopes: scopes(n) }, shows: { scopes: scopes(n) } }),
    (n: number) => ({ sent: { usage_limits: budget(n) }, shows: { usage_limits: budget(n) } }),
    () => ({ sent: { rate_limits: null, usage_limits: null }, shows: { rate_limits: null, usage_limits: null } }),
  ],
} as const;

export const kinds: Readonly<Record<KindName, Kind>> = {
  collections: {
    name: "collections",
    path: "/collections",
    owner: "workspace",
    unseen: 404,
    list: { paged: true, ofPlace: true },
    body: none,
    shows: () => ({ is_default: false }),
    changes: [],
  },
  labels: {
    name: "labels",
    path: "/labels",
    owner: "workspace",
    unseen: 404,
    list: { paged: true },
    uniqueName: true,
    body: none,
    shows: () => ({ is_universal: false }),
    changes: [described, (n) => ({ sent: { color_code: `#${n}` }, shows: { color_code: `#${n}` } })],
  },
  configs: {
    name: "configs",
    path: "/configs",
    owner: "workspace",
    unseen: 403,
    list: {},
    blocks: true,
    links: {
      providers: {
        write: (slug) => ({ config: { provider: `@${slug}` } }),
        unknown: 400,
        by: "slug",
        changes: true,
      },
    },
    body: (n) => ({ config: { provider: "simulator", override_params: { user: `u${n}` } } }),
    shows: none,
    changes: [],
  },
  guardrails: {
    name: "guardrails",
    path: "/guardrails",
    owner: "either",
    unseen: 403,
    list: { paged: true },
    blocks: true,
    body: (n) => ({ checks: endsWith(`${n}`), actions: { deny: true } }),
    shows: (n) => ({ checks: [expectCheck(`${n}`)] }),
    changes: [(n) => ({ sent: { checks: endsWith(`c${n}`) }, shows: { checks: [expectCheck(`c${n}`)] } })],
  },
  partials: {
    name: "partials",
    path: "/prompts/partials",
    owner: "workspace",
    unseen: 404,
    list: {},
    blocks: true,
    links: { collections: { write: (collection_id) => ({ collection_id }), unknown: 404 } },
    body: (n) => ({ string: `partial ${n}` }),
    shows: (n) => ({ string: `partial ${n}`, version: 1 }),
    changes: [],
  },
  prompts: {
    name: "prompts",
    path: "/prompts",
    owner: "workspace",
    unseen: 404,
    list: { paged: true },
    blocks: true,
    links: {
      collections: { write: (collection_id) => ({ collection_id }), unknown: 404, needed: true, changes: true },
      providers: { write: (virtual_key) => ({ virtual_key }), unknown: 404, by: "slug", changes: true },
      partials: { write: (ref) => ({ string: `Hi {{>${ref}}}` }), unknown: 400 },
    },
    body: (n) => ({ string: `text ${n}`, parameters: { n }, model: "m", virtual_key: "simulator" }),
    shows: () => ({ prompt_version: 1 }),
    changes: [],
  },
  integrations: {
    name: "integrations",
    path: "/integrations",
    owner: "either",
    unseen: 404,
    list: { paged: true },
    slug: { taken: 409, within: "organisation" },
    blocks: true,
    links: {
      secrets: {
        write: (ref) => ({
          secret_mappings: [{ target_field: "configurations.openai_project", secret_reference_id: ref }],
        }),
        unknown: 404,
        changes: true,
      },
    },
    body: (_, secret, host) => ({
      ai_provider_id: "openai",
      key: secret(),
      configurations: { custom_host: host },
      create_default_provider: false,
    }),
    shows: () => ({ ai_provider_id: "openai" }),
    changes: [described, tagged, (_, secret) => ({ sent: { key: secret() }, shows: {} })],
  },
  providers: {
    name: "providers",
    path: "/providers",
    owner: "workspace",
    unseen: 403,
    list: { paged: true, ofPlace: true },
    slug: { taken: 400, within: "workspace" },
    blocks: true,
    links: { integrations: { write: (integration_id) => ({ integration_id }), unknown: 404, needed: true } },
    body: none,
    shows: () => ({ status: "active" }),
    changes: [
      (n) => ({ sent: { note: `n${n}` }, shows: { note: `n${n}` } }),
      tagged,
      (n) => ({ sent: { usage_limits: budget(n) }, shows: { usage_limits: budget(n) } }),
    ],
  },
  virtualKeys: {
    name: "virtualKeys",
    path: "/virtual-keys",
    owner: "workspace",
    unseen: 403,
    list: { paged: true, ofPlace: true },
    body: (_, secret, host) => ({ provider: "openai", key: secret(), customHost: host }),
    shows: () => ({ status: "active" }),
    changes: [(n) => ({ sent: { note: `n${n}` }, shows: { note: `n${n}` } })],
  },
  usage: {
    name: "usage",
    path: "/policies/usage-limits",
    owner: "workspace",
    unseen: 404,
    list: { paged: true, ofPlace: true },
    nameless: true,
    body: (n) => ({ ...grouped, type: "cost", credit_limit: n + 1 }),
    shows: (n) => ({ credit_limit: n + 1, status: "active" }),
    changes: [described, (n) => ({ sent: { credit_limit: n + 2 }, shows: { credit_limit: n + 2 } })],
  },
  rates: {
    name: "rates",
    path: "/policies/rate-limits",
    owner: "workspace",
    unseen: 404,
    list: { paged: true, ofPlace: true },
    nameless: true,
    body: (n) => ({ ...grouped, type: "requests", unit: "rpm", value: n }),
    shows: (n) => ({ value: n, unit: "rpm", status: "active" }),
    changes: [described, (n) => ({ sent: { value: n, unit: "rpd" }, shows: { value: n, unit: "rpd" } })],
  },
  keys: { ...key, name: "keys", made: "/api-keys/workspace/service", blocks: true },
  userKeys: { ...key, name: "userKeys", made: "/api-keys/workspace/user", blocks: true },
  secrets: {
    name: "secrets",
    path: "/secret-references",
    owner: "organisation",
    unseen: 404,
    list: { paged: true },
    slug: { taken: 400, within: "organisation" },
    body: (_, secret) => ({
      manager_type: "hashicorp_vault",
      auth_config: { vault_auth_type: "token", vault_addr: "https://vault.example", vault_token: secret() },
      secret_path: "kv/data/x",
    }),
    shows: () => ({ allow_all_workspaces: true }),
    changes: [described, tagged, (n) => ({ sent: { secret_path: `kv/${n}` }, shows: { secret_path: `kv/${n}` } })],
  },
  deployments: {
    name: "deployments",
    path: "/deployments",
    owner: "organisation",
    unseen: 404,
    list: { paged: true },
    slug: { taken: 409, within: "organisation" },
    body: (n) => ({ type: n % 2 ? "production" : "non-production" }),
    shows: (n) => ({ type: n % 2 ? "production" : "non-production" }),
    changes: [(n) => ({ sent: { config: { n } }, shows: { config: { n } } })],
  },
};

function expectCheck(suffix: string): object {
  return { id: "default.endsWith", parameters: { suffix } };
}

const oddNames = [
  ..."plain Plain PLAIN __proto__ constructor .. %2e%2e a/b/c".split(" "),
  ...'Ünïcödé 名前 🎉|  spaces  |x\u0301|‮rtl|line\nbreak|nul\u0000|\ud800half|"quoted"|<b>&amp;'.split("|"),
  "x".repeat(255),
  "🎉".repeat(127),
  "a,b;c",
];
const labelNames = ["beta", "Beta", "1a", "__proto__", "constructor", "é", "a-b", "x".repeat(64), "a/b", "toString"];

/** Names of which several are alike, or hard to keep. */
export const nameOf = ({ name }: Pick<Kind, "name">, chance: number): string => {
  const names = name === "labels" ? labelNames : oddNames;
  return names[chance % names.length] as string;
};
export const wrongNames = ["", "x".repeat(256), 7, null, ["a"]];
