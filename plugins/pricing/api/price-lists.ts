import type { Endpoint, Exchange, Served } from "../../../core/index.ts";
import type { PriceBook } from "../lookup/price-book.ts";
import { pricingObject } from "../prices/pricing-object.ts";

const notFound: Served = { status: 404, body: { error: "Model not found" } };

/** Where prices can be looked up, by anybody (control-plane.md section 23). They hold for nobody in particular. */
export function priceListEndpoints(
  book: PriceBook,
  ready: () => Promise<void> | undefined,
  now: () => number,
): Endpoint[] {
  const priced = (provider: string, model: string) =>
    book.prices({ provider: { slug: provider, name: provider }, model }).at(now());
  const ofModel = (provider: string, model: string): Served => {
    const found = priced(provider, model);
    return found ? { status: 200, body: pricingObject(found.sheet) } : notFound;
  };
  const ofProvider = (provider: string): Served => {
    const models = book.modelsOf(provider);
    if (models.length === 0) return notFound;
    const entries = models.flatMap((model) => {
      const found = priced(provider, model);
      return found ? [[model, { pricing_config: pricingObject(found.sheet) }] as const] : [];
    });
    const others = priced(provider, "default");
    const rest = { pricing_config: others ? pricingObject(others.sheet) : null };
    return { status: 200, body: Object.fromEntries([...entries, ["default", rest]]) };
  };
  const serve = async ({ url }: Exchange): Promise<Served> => {
    await ready();
    const [, provider = "", model] = pathOf(url) ?? [];
    if (model !== undefined) return ofModel(provider, model);
    return provider.endsWith(".json") ? ofProvider(provider.slice(0, -".json".length)) : notFound;
  };
  return ["", "/v1", "/v2"].map((base) => ({
    type: "pricing",
    method: "GET",
    path: `${base}/model-configs/pricing/*`,
    open: true,
    errors: "management",
    serve,
    description: {
      tag: "model-configs",
      summary: "The prices of a model in US cents, or of all models of a provider: /PROVIDER/MODEL, /PROVIDER.json.",
    },
  }));
}

/** Provider and model in a path. The model may have slashes of its own, written as they are or as %2F. */
function pathOf(url: string): readonly [string, string, string | undefined] | undefined {
  const [path = ""] = url.split("?");
  const [, provider, model] = /\/model-configs\/pricing\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  if (provider === undefined) return undefined;
  try {
    return [path, decodeURIComponent(provider), model === undefined ? undefined : decodeURIComponent(model)];
  } catch {
    return undefined;
  }
}
