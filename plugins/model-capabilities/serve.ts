import { type Endpoint, type Served, z } from "../../core/index.ts";
import type { CapabilityLists } from "./lists.ts";

const notFound: Served = { status: 404, body: { error: "Model not found" } };
const fallback = "default";

const answer = z.looseObject({
  params: z.array(z.looseObject({ key: z.string() })).optional(),
  type: z.looseObject({ primary: z.string(), supported: z.array(z.string()) }).optional(),
  messages: z.looseObject({ options: z.array(z.string()) }).optional(),
  disablePlayground: z.boolean().optional(),
  isDefault: z.boolean().optional(),
});

/** Where it can be looked up, by anybody (control-plane.md section 23). */
export function capabilityEndpoints(
  lists: Pick<CapabilityLists, "of">,
  isVendor: (name: string) => boolean,
): Endpoint[] {
  const serve = async ({ url }: { readonly url: string }): Promise<Served> => {
    const { vendor, model } = asked(url) ?? {};
    // Anybody may ask: only for vendors that there are is anything read.
    if (vendor === undefined || model === undefined || model === fallback || !isVendor(vendor)) return notFound;
    const list = await lists.of(vendor);
    const own = list.get(model);
    return own ? { status: 200, body: { ...list.get(fallback), ...own } } : notFound;
  };
  return ["", "/v1", "/v2"].map((base) => ({
    type: "model-capabilities",
    method: "GET",
    path: `${base}/model-configs/general/*`,
    open: true,
    errors: "management",
    serve,
    description: {
      tag: "model-configs",
      summary: "What a model takes and can do: /PROVIDER/MODEL.",
      answer,
    },
  }));
}

/** Provider and model of a path. The model may have slashes of its own, written as they are or as %2F. */
function asked(url: string): { readonly vendor: string; readonly model: string } | undefined {
  const [path = ""] = url.split("?");
  const [, vendor, model] = /\/model-configs\/general\/([a-z0-9][a-z0-9-]{0,63})\/(.+)$/.exec(path) ?? [];
  if (vendor === undefined || model === undefined) return undefined;
  try {
    return { vendor, model: decodeURIComponent(model) };
  } catch {
    return undefined;
  }
}
