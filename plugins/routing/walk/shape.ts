import type { Shape } from "../../../core/index.ts";
import type { OwnFields } from "../config/own-fields.ts";
import { withoutSlug } from "../model-names.ts";

/** How a leaf changes a body: with the model among the changes, and without it. */
export interface LeafShape {
  /** The model of `override_params`, without a provider in front. */
  readonly override?: string;
  /** The model of `default_params`, as written. */
  readonly fallback?: string;
  /** For bodies that name a model: it is exchanged inside the bytes, and where nothing else changes, they stay. */
  readonly exceptModel?: Shape;
  readonly whole?: Shape;
}

export function leafShape({ default_params = {}, override_params = {}, drop_params = [] }: OwnFields): LeafShape {
  const { model, ...others } = override_params;
  const override = typeof model === "string" ? withoutSlug(model) : undefined;
  const fallback = typeof default_params.model === "string" ? default_params.model : undefined;
  const except = shapeOf(default_params, override === undefined ? override_params : others, drop_params);
  const whole = shapeOf(
    default_params,
    { ...override_params, ...(override !== undefined && { model: override }) },
    drop_params,
  );
  return {
    ...(override !== undefined && { override }),
    ...(fallback !== undefined && { fallback }),
    ...(except && { exceptModel: except }),
    ...(whole && { whole }),
  };
}

type Params = Readonly<Record<string, unknown>>;

function shapeOf(defaults: Params, overrides: Params, drops: readonly string[]): Shape | undefined {
  const shape = {
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(Object.keys(overrides).length > 0 && { overrides }),
    ...(drops.length > 0 && { drops }),
  };
  return Object.keys(shape).length > 0 ? shape : undefined;
}
