import { compact, type Fields, type ImageRequest, isRecord, nearestRatio } from "../../../core/index.ts";
import { camelled } from "../fields.ts";

/** Width and height in proportion, as this API has them. */
const ratios = ["1:1", "3:2", "2:3", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"] as const;

/** What this API cannot be told of images: how many, how good, what they come as. */
const lost = {
  quality: "quality",
  style: "style",
  outputFormat: "output_format",
  outputCompression: "output_compression",
  negativePrompt: "negative_prompt",
  user: "user",
} as const satisfies Partial<Record<keyof ImageRequest, string>>;

export const drops: readonly string[] = ["n", "response_format", ...Object.values(lost)];

export function encodeRequest(request: ImageRequest, report: (dropped: string) => void): Fields {
  const { model, prompt, n = 1, size, seed, responseFormat, extra } = request;
  if (n > 1) report("n");
  if (responseFormat === "url") report("response_format");
  for (const [field, name] of Object.entries(lost)) if (request[field as keyof typeof lost] !== undefined) report(name);
  const { image_config: config, safety_settings: safetySettings, ...others } = extra?.fields ?? {};
  for (const name of Object.keys(others)) report(name);
  const imageConfig = {
    ...(size !== undefined && size !== "auto" && { aspectRatio: nearestRatio(size, ratios, "model") }),
    ...(isRecord(config) && camelled(config)),
  };
  return compact({
    model,
    contents: [{ role: "user", parts: [{ text: prompt }] }],
    safetySettings,
    generationConfig: compact({
      responseModalities: ["IMAGE"],
      imageConfig: Object.keys(imageConfig).length > 0 ? imageConfig : undefined,
      seed,
    }),
  });
}
