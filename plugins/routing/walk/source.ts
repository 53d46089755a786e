import type { OwnFields } from "../config/own-fields.ts";
import { slugIn, storedModel } from "../model-names.ts";

/** Where the provider of a leaf comes from (routing-config.md section 6.1). */
export type Source =
  | {
      readonly kind: "named";
      /** `@slug` for a stored one. */
      readonly name: string;
      readonly why: string;
    }
  | { readonly kind: "passthrough" | "request" };

export function sourceOf({ virtual_key, provider, override_params, passthrough }: OwnFields): Source {
  if (virtual_key !== undefined) {
    const name = `@${virtual_key.replace(/^@/, "")}`;
    return { kind: "named", name, why: `provider ${name}, its virtual_key` };
  }
  if (provider?.startsWith("@")) {
    const model = storedModel(provider);
    const name = model ? `@${model.name}` : provider;
    return { kind: "named", name, why: `provider ${name}, named here` };
  }
  if (provider !== undefined) return { kind: "named", name: provider, why: `provider ${provider}, named here` };
  // A target that is open to the request's provider stays so, whatever model it asks for (section 6.3).
  if (passthrough === true) return { kind: "passthrough" };
  const model = typeof override_params?.model === "string" ? slugIn(override_params.model) : undefined;
  if (model)
    return {
      kind: "named",
      name: `@${model.name}`,
      why: `provider @${model.name}, in front of the model of override_params`,
    };
  return { kind: "request" };
}
