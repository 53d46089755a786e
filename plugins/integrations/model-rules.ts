import { GatewayError, type ModelSettings, type StoredCall, type StoredPricing } from "../../core/index.ts";
import type { IntegrationDocument, ModelRow } from "./documents.ts";

interface Rule {
  readonly enabled: boolean;
  readonly settings: ModelSettings | undefined;
  readonly pricing: StoredPricing | undefined;
}

type Given = Pick<IntegrationDocument, "models" | "allow_all_models"> &
  Partial<Pick<IntegrationDocument, "pricing_adjustments">>;

/** Which models an integration lets through, and what each has of its own (control-plane.md section 7.5). */
export class ModelRules {
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #others: boolean;
  /** Whether there is a model that may not be called. */
  readonly #restricts: boolean;
  /** What is said of the prices of models without a row. */
  readonly #pricing: StoredPricing | undefined;

  constructor({ models, allow_all_models, pricing_adjustments }: Given) {
    const multiplier = multiplierIn(pricing_adjustments);
    this.#pricing = multiplier && { own: false, multiplier };
    this.#rules = new Map(
      models.map((row) => [
        row.slug,
        { enabled: row.enabled, settings: settingsOf(row), pricing: pricingOf(row, multiplier) },
      ]),
    );
    this.#others = allow_all_models;
    this.#restricts = !allow_all_models || models.some(({ enabled }) => !enabled);
  }

  /**
   * Throws `model_not_allowed`. Where a list cannot be held, nothing is let through that could run a model; one without a name is
   * none. In nitro mode that is the mode's fault, `invalid_request` (operations.md section 15).
   */
  admit({ model, raw, reads, nitro }: StoredCall, slug: string): ModelSettings | undefined {
    const rule = model ? this.#rules.get(model) : undefined;
    if (!this.#restricts) return rule?.settings;
    if (raw && reads) return undefined;
    if (nitro) throw unread(slug);
    if (raw || !model) throw notAllowed(slug, "this call does not say its model in a way that can be checked");
    if (rule?.enabled ?? this.#others) return rule?.settings;
    throw notAllowed(slug, `"${model}" is not among them`, model);
  }

  pricing(model: string): StoredPricing | undefined {
    const rule = this.#rules.get(model);
    return rule ? rule.pricing : this.#pricing;
  }
}

type Multiplier = StoredPricing["multiplier"];

function multiplierIn(adjustments: Given["pricing_adjustments"]): Multiplier {
  const multiplier = adjustments?.multiplier;
  return typeof multiplier === "object" && multiplier !== null ? { ...multiplier } : undefined;
}

/** A model of one's own has its own price or none: that of the model it was made of is never meant. */
function pricingOf(row: ModelRow, multiplier: Multiplier): StoredPricing | undefined {
  const own = row.is_custom === true || row.is_finetune === true;
  if (!own && row.pricing_config === null && !multiplier) return undefined;
  return {
    own,
    ...(row.pricing_config && { prices: row.pricing_config }),
    ...(multiplier && { multiplier }),
  };
}

const notAllowed = (slug: string, why: string, model?: string) =>
  new GatewayError("model_not_allowed", `The provider "@${slug}" is open to some models only, and ${why}.`, {
    provider: slug,
    ...(model !== undefined && { param: "model" }),
  });

const unread = (slug: string) =>
  new GatewayError(
    "invalid_request",
    `In nitro mode the body is not read, and the provider "@${slug}" is open to some models only: ask without it.`,
    { provider: slug, param: "nitro-mode" },
  );

function settingsOf({ configurations, base_model_slug }: ModelRow): ModelSettings | undefined {
  const { custom_host, custom_headers } = configurations ?? {};
  if (custom_host === undefined && custom_headers === undefined && base_model_slug === null) return undefined;
  return {
    ...(custom_host !== undefined && { host: custom_host }),
    ...(custom_headers !== undefined && { headers: custom_headers }),
    ...(base_model_slug !== null && { base: base_model_slug }),
  };
}
