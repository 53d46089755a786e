/** Whose prices in the catalogue those of a provider are: its name here, and its name there. */
export const catalogueNames: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  "azure-ai": "azure",
  "azure-openai": "azure",
  bedrock: "aws",
  "bedrock-mantle": "aws",
  cerebras: "cerebras",
  "claude-platform-aws": "anthropic",
  cohere: "cohere",
  deepseek: "deepseek",
  "fireworks-ai": "fireworks",
  google: "google",
  groq: "groq",
  minimax: "minimax",
  "mistral-ai": "mistral",
  modal: "modal",
  moonshot: "moonshotai",
  "novita-ai": "novita",
  openai: "openai",
  openrouter: "openrouter",
  ovhcloud: "ovhcloud",
  "perplexity-ai": "perplexity",
  "together-ai": "together",
  "vertex-ai": "google",
  voyage: "voyageai",
  "workers-ai": "cloudflare",
  "x-ai": "x-ai",
  "z-ai": "zai",
  zhipu: "zhipuai",
};

/** What a vendor's model is called in the catalogue, and whose it is there. */
export interface CatalogueName {
  readonly vendor: string;
  readonly model: string;
}

/**
 * Names a model may have in the catalogue, the likeliest first. Of an ARN the last part counts, Vertex names the publisher
 * in front, and the router of Hugging Face the one it is to go to behind.
 */
export function* catalogueNamesOf(provider: string, model: string): Generator<CatalogueName> {
  if (provider === "huggingface") {
    const [, name = "", host] = /^(.+):([a-z0-9-]+)$/.exec(model) ?? [];
    if (host !== undefined) yield { vendor: `huggingface_${host}`, model: name };
    return;
  }
  const vendor = catalogueNames[provider];
  if (vendor === undefined) return;
  const plain = model.startsWith("arn:") ? model.slice(model.lastIndexOf("/") + 1) : model;
  yield { vendor, model: plain };
  if (provider === "vertex-ai" && plain.includes(".")) yield { vendor, model: plain.slice(plain.indexOf(".") + 1) };
}
