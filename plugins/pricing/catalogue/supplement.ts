import type { ModelInfo, ModelPrice, Provider } from "@pydantic/genai-prices";
import type { Ratio } from "../arithmetic/ratio.ts";
import type { Sheet } from "../prices/sheet.ts";

/** A price the package does not have. What it has itself counts before it. */
interface Missing {
  readonly vendor: string;
  /** The model's name in the package. */
  readonly model: string;
  readonly prices: ModelPrice;
  /** Names the entry of the package is for, too, and of which this is not known. */
  readonly but?: readonly string[];
}

/** Dollars per million tokens of sound, read on 26 November 2026 where each says. */
const missing: readonly Missing[] = [
  {
    // https://developers.openai.com/api/docs/models/gpt-4o-audio-preview: of its first snapshot nothing is said there.
    vendor: "openai",
    model: "gpt-4o-audio-preview",
    prices: { input_audio_mtok: 40, output_audio_mtok: 80 },
    but: ["gpt-4o-audio-preview-2024-10-01"],
  },
  {
    // https://developers.openai.com/api/docs/models/gpt-4o-mini-audio-preview
    vendor: "openai",
    model: "gpt-4o-mini-audio-preview",
    prices: { input_audio_mtok: 10, output_audio_mtok: 20 },
  },
  {
    // https://openrouter.ai/openai/gpt-audio
    vendor: "openrouter",
    model: "openai/gpt-audio",
    prices: { input_audio_mtok: 32, output_audio_mtok: 64 },
  },
];

/** The vendors of the package, with what it lacks. */
export const supplemented = (vendors: readonly Provider[]): readonly Provider[] =>
  vendors.map((vendor) => {
    const lacking = missing.filter((one) => one.vendor === vendor.id);
    if (lacking.length === 0) return vendor;
    return { ...vendor, models: vendor.models.flatMap((model) => withMissing(model, lacking)) };
  });

function withMissing(model: ModelInfo, lacking: readonly Missing[]): ModelInfo[] {
  const found = lacking.find((one) => one.model === model.id);
  const { prices } = model;
  if (!found || Array.isArray(prices)) return [model];
  // The first entry that means a name counts.
  const without = (found.but ?? []).map((id) => ({ ...model, id, match: { equals: id } }));
  return [...without, { ...model, prices: { ...found.prices, ...prices } }];
}

/** What a vendor's service tiers and places cost, where its prices in the package are those of its standard one, anywhere. */
type Tiers = Pick<Sheet, "tierFactors" | "dearerTiers" | "cheaperTiers" | "geoFactors">;

const half: Ratio = { over: 1n, under: 2n };
const twice: Ratio = { over: 2n, under: 1n };
const flexAndPriority: Tiers = { tierFactors: { flex: half }, dearerTiers: new Set(["priority"]) };

/**
 * Read on 26 November 2026. OpenAI's flex tier has the rates of batches (https://developers.openai.com/api/docs/guides/flex-processing),
 * which are half of the others, as at Azure (https://learn.microsoft.com/azure/foundry/openai/how-to/flex-processing) and at Google
 * (https://ai.google.dev/gemini-api/docs/optimization). Priority costs more at each of them, and at Bedrock
 * (https://aws.amazon.com/bedrock/service-tiers), differently by model; and so does Anthropic's fast mode
 * (https://platform.claude.com/docs/en/build-with-claude/fast-mode), and OpenAI's, which its answers call priority
 * (https://developers.openai.com/api/docs/guides/fast-mode). Bedrock's flex tier costs less, and nobody says how much, and its
 * reserved one is paid by the hour.
 * What Anthropic computes in the United States only costs a tenth more (https://platform.claude.com/docs/en/build-with-claude/data-residency);
 * models of which that is not so take no part in it, and their answers name no place. OpenAI's ultrafast mode costs more, too
 * (https://developers.openai.com/api/docs/guides/ultrafast-mode), and so does priority at Fireworks
 * (https://docs.fireworks.ai/guides/serverless-modes).
 */
const tiers: Readonly<Record<string, Tiers>> = {
  anthropic: { dearerTiers: new Set(["fast"]), geoFactors: { us: { over: 11n, under: 10n } } },
  aws: { dearerTiers: new Set(["priority"]), cheaperTiers: new Set(["flex", "reserved"]) },
  azure: flexAndPriority,
  fireworks: { dearerTiers: new Set(["priority"]) },
  google: flexAndPriority,
  openai: { ...flexAndPriority, dearerTiers: new Set(["priority", "fast", "ultrafast"]) },
};

/** Models whose faster tiers cost so many times the standard price of whatever kind of token. */
interface Faster {
  readonly vendor: string;
  readonly models: RegExp;
  readonly factors: Readonly<Record<string, Ratio>>;
}

/**
 * Read on 27 November 2026. The fast mode of the newest models is twice their price (https://openai.com/api-fast-mode; those of older
 * ones are no such multiple), and the ultrafast one of GPT-6 Astra six times (https://developers.openai.com/api/docs/pricing).
 */
const faster: readonly Faster[] = [
  {
    vendor: "openai",
    models: /^gpt-6-astra(?:-|$)/,
    factors: { priority: twice, fast: twice, ultrafast: { over: 6n, under: 1n } },
  },
  { vendor: "openai", models: /^gpt-(?:6|5\.6)(?:\D|$)/, factors: { priority: twice, fast: twice } },
];

export function tiersOf(vendor: string, model: string): Tiers {
  const usual = tiers[vendor] ?? {};
  const { factors } = faster.find((one) => one.vendor === vendor && one.models.test(model)) ?? {};
  if (!factors) return usual;
  const dearer = [...(usual.dearerTiers ?? [])].filter((name) => !Object.hasOwn(factors, name));
  return { ...usual, tierFactors: { ...usual.tierFactors, ...factors }, dearerTiers: new Set(dearer) };
}

const apart: ReadonlySet<string> = new Set(["request_audio_token", "response_audio_token"]);

/** OpenRouter has prices of images that are drawn, too (https://openrouter.ai/docs/client-sdks/python/components/pricing). */
const apartAtOpenRouter: ReadonlySet<string> = new Set([...apart, "response_image_token"]);

/** Whose price of tokens is one of text for all models that do more than speak; all that OpenRouter sells has one of text. */
const textPriced: ReadonlySet<string> = new Set(["azure", "openai"]);

/** Mistral bills what its chat models hear by the minute, beside the tokens of the text (`prompt_audio_seconds` of @mistralai/mistralai 2.7). */
const apartAtMistral: ReadonlySet<string> = new Set(["audio_second"]);

/** Kinds whose price is not that of text where the package has none for them. What only speaks has one price, for what it says. */
export function pricedApart(vendor: string, model: string): ReadonlySet<string> | undefined {
  if (vendor === "mistral") return apartAtMistral;
  if (vendor === "openrouter") return apartAtOpenRouter;
  return textPriced.has(vendor) && !/-tts\b/.test(model) ? apart : undefined;
}
