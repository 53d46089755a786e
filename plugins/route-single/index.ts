import { z } from "zod";
import { type BoundProvider, definePlugin, type Exchange, type Route, type Target } from "../../core/index.ts";
import { patternsOf } from "./patterns.ts";
import { type Choice, selectProvider } from "./select-provider.ts";

const slugs = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

export default definePlugin({
  name: "route-single",
  summary: "Sends a request to the one provider that its headers or its model name.",
  options: z.strictObject({
    models: z
      .record(z.string().min(1), slugs)
      .default({})
      .describe('Providers by model, for requests that name none: `"claude-*": anthropic`. The first match counts.'),
    default: slugs
      .exactOptional()
      .describe("The provider of all other requests; of a list, the first with a credential."),
  }),
  setup({ hooks, providers, onReady }, options) {
    const rules = patternsOf(options.models);
    const rest = options.default === undefined ? [] : [options.default].flat();
    onReady(() => {
      const named = [...rules.flatMap((rule) => rule.providers), ...rest];
      const missing = named.find((name) => !providers.configured(name));
      if (missing !== undefined)
        throw new Error(`names the provider "${missing}", which the config file does not have`);
    });
    // Providers that are there are taken without waiting; one that has to be loaded first is waited for.
    const loading = new WeakMap<Exchange, Promise<Route>>();
    hooks.routeSelect.tap("route-single", (exchange) => {
      const choice = selectProvider(exchange, providers, rules, rest);
      if (!choice) return undefined;
      const provider = providers.forExchange(choice.name, exchange, choice.named);
      if (!(provider instanceof Promise)) return routeTo(provider, choice);
      loading.set(
        exchange,
        provider.then((loaded) => routeTo(loaded, choice)),
      );
      return undefined;
    });
    hooks.routeSelect.tapPromise("route-single", async (exchange) => loading.get(exchange));
  },
});

const routeTo = (provider: BoundProvider, { model }: Choice): Route =>
  single({ path: "config", provider, ...(model !== undefined && { model }) });

/** The shortest route there is: one target, and whatever comes of it. */
export function* single(target: Target): Route {
  return yield target;
}
