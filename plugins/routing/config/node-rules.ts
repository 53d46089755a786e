import { didYouMean } from "../../../core/index.ts";
import { configNode, type ReadContext, type ReadNode } from "./node.ts";
import type { Problem } from "./problems.ts";
import { storedProviders } from "./references.ts";
import { strategyCall } from "./strategy-call.ts";

/** Mistakes between the fields of a node, and in values that only the deployment can judge (section 3.2). */
export const ruleProblems = (node: ReadNode, context: ReadContext): Problem[] =>
  [
    ...providerRules(node, context),
    ...storedRules(node, context),
    ...passthroughRules(node),
    ...addressRules(node, context),
    ...vertexRules(node),
    ...groupRules(node, context),
  ].map(({ path, message }) => ({ path: [...node.path, ...path], message }));

function providerRules({ fields }: ReadNode, { providers, saved, trusted }: ReadContext): Problem[] {
  const { provider, virtual_key, api_key } = fields;
  // Callers are not told what the file has.
  const remedy = trusted && provider !== undefined ? didYouMean(`@${provider}`, slugsOf(providers)) : "";
  const problems: Problem[] = [];
  if (provider !== undefined && !provider.startsWith("@") && !providers.knows(provider))
    problems.push({
      path: ["provider"],
      message: `"${provider}" is not a known provider; stored ones are written @slug${remedy}`,
    });
  if (saved && api_key && provider === undefined && virtual_key === undefined)
    problems.push({ path: ["api_key"], message: "needs the provider it is for beside it" });
  return problems;
}

/**
 * In the file a slug must be one of the file, unless workspaces keep providers of their own; of a caller's config, the
 * leaf fails that names an unknown one.
 */
function storedRules(node: ReadNode, { providers, trusted }: ReadContext): Problem[] {
  if (!trusted || providers.stores) return [];
  return storedProviders(node)
    .filter(({ ref }) => !providers.configured(ref))
    .map(({ path, ref }) => ({
      path,
      message: `names the stored provider "@${ref}", which the config file does not have${didYouMean(`@${ref}`, slugsOf(providers))}`,
    }));
}

const slugsOf = (providers: ReadContext["providers"]): string[] => providers.all().map(({ slug }) => `@${slug}`);

function passthroughRules({ fields, group, place }: ReadNode): Problem[] {
  if (fields.passthrough !== true) return [];
  const excluded = (["provider", "virtual_key", "api_key"] as const).filter((name) => fields[name] !== undefined);
  const others = place === "config" && group ? ["strategy", "targets"] : [];
  return [...excluded, ...others].map((name) => ({ path: [name], message: "cannot stand beside passthrough" }));
}

function addressRules({ fields }: ReadNode, { providers, trusted }: ReadContext): Problem[] {
  const { custom_host, forward_headers } = fields;
  const problems: Problem[] = [];
  // In the file a host is the operator's word, as a provider's base URL is.
  const accepted =
    custom_host === undefined || (trusted ? isWebAddress(custom_host) : providers.acceptsHost(custom_host));
  if (!accepted) problems.push({ path: ["custom_host"], message: "is not a URL that may be called" });
  for (const { from, to } of forward_headers ?? []) {
    const refused = [from, to].find((name) => !providers.mayForward(name));
    if (refused !== undefined)
      problems.push({ path: ["forward_headers"], message: `the header "${refused}" cannot be forwarded` });
  }
  return problems;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Vertex AI has no address without a region, and no project without one of these two. */
function vertexRules({ fields, options }: ReadNode): Problem[] {
  const raw = fields.api_key !== undefined || Object.keys(options).some((name) => name.startsWith("vertex_"));
  if (fields.provider !== "vertex-ai" || !raw) return [];
  const missing = [
    ...("vertex_region" in options ? [] : ["vertex_region"]),
    ...("vertex_project_id" in options || "vertex_service_account_json" in options
      ? []
      : ["vertex_project_id or vertex_service_account_json"]),
  ];
  return missing.length === 0 ? [] : [{ path: [], message: `vertex-ai needs ${missing.join(" and ")}` }];
}

/** What only shows with the children at hand. A caller's config is refused for that when it is walked. */
function groupRules({ group, place }: ReadNode, { saved, vocabulary, name }: ReadContext): Problem[] {
  if (!group || !saved) return [];
  const { strategy, options, targets } = group;
  const children = targets.map((target) => configNode(target, target.fields));
  const position = { mode: strategy.mode, place, config: name };
  return strategyCall("check", position, vocabulary, () =>
    (strategy.check?.(options, children) ?? []).map(({ path, message }) => ({
      path: path === "" ? [] : path.split("."),
      message,
    })),
  );
}
