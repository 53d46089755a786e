import { z } from "../../core/index.ts";
import { withHiddenSecrets } from "./config/hide-secrets.ts";

const slugs = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

const config = z
  .record(z.string(), z.unknown())
  .transform((value) => withHiddenSecrets(value) as Readonly<Record<string, unknown>>);

const slug = z.string().regex(/^[^\s{]\S*$/, { error: "a slug has no spaces and does not begin with {" });

const limit = (otherwise: number, what: string) =>
  z.int().positive().default(otherwise).describe(`Most ${what} a routing config may have.`);

export const routingOptions = z.strictObject({
  models: z
    .record(z.string().min(1), slugs)
    .default({})
    .describe('Providers by model, for requests that name none: `"claude-*": anthropic`. The first match counts.'),
  default: slugs
    .exactOptional()
    .describe("The provider of all other requests; of a list, the first with a credential."),
  configs: z
    .record(slug, config)
    .default({})
    .describe("Routing configs by slug, which clients name in `x-gateway-config`."),
  defaultConfig: z.string().min(1).exactOptional().describe("The slug of the config of requests that name none."),
  blockInlineConfig: z
    .boolean()
    .default(false)
    .describe("Only saved configs and stored providers route: what callers bring of their own is refused."),
  maxRootTargets: limit(100, "targets at its root"),
  maxConditionalRootTargets: limit(1_000, "targets at its root, when they are chosen by conditions,"),
  maxNestedTargets: limit(50, "targets below one target of its root"),
});

export type RoutingOptions = z.output<typeof routingOptions>;
