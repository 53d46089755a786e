import { type ChatRequest, type Fields, fewStops, refuse } from "../../../core/index.ts";

type SettingName =
  | "temperature"
  | "topP"
  | "topK"
  | "maxTokens"
  | "n"
  | "presencePenalty"
  | "frequencyPenalty"
  | "seed"
  | "topLogprobs"
  | "logprobs";

/** Fields of `generationConfig` that only have another name here. */
const settings: readonly (readonly [wire: string, canonical: SettingName, kind: "number" | "boolean"])[] = [
  ["temperature", "temperature", "number"],
  ["topP", "topP", "number"],
  ["topK", "topK", "number"],
  ["maxOutputTokens", "maxTokens", "number"],
  ["candidateCount", "n", "number"],
  ["presencePenalty", "presencePenalty", "number"],
  ["frequencyPenalty", "frequencyPenalty", "number"],
  ["seed", "seed", "number"],
  ["responseLogprobs", "logprobs", "boolean"],
  ["logprobs", "topLogprobs", "number"],
];

export const settingFields: readonly string[] = [...settings.map(([wire]) => wire), "stopSequences"];

export function decodeSettings(config: Readonly<Fields>): Partial<ChatRequest> {
  const decoded: Fields = {};
  for (const [wire, canonical, kind] of settings) {
    const value = config[wire];
    if (value === undefined || value === null) continue;
    if (typeof value !== kind)
      refuse(`generationConfig.${wire}`, kind === "number" ? "a number" : "true or false", value);
    decoded[canonical] = value;
  }
  const { stopSequences: stop } = config;
  if (stop !== undefined && stop !== null) {
    if (!Array.isArray(stop) || stop.some((one) => typeof one !== "string"))
      refuse("generationConfig.stopSequences", "a list of strings", stop);
    decoded.stop = stop;
  }
  return decoded as Partial<ChatRequest>;
}

/** The vendor refuses more stop sequences. */
const mostStops = 5;

export function encodeSettings(request: ChatRequest, report: (dropped: string) => void): Fields {
  const config: Fields = {};
  for (const [wire, canonical] of settings) {
    const value = request[canonical];
    if (value !== undefined) config[wire] = value;
  }
  const stop = fewStops(request.stop, mostStops, report);
  if (stop) config.stopSequences = stop;
  // Seeds are 32-bit integers here.
  if (request.seed !== undefined && request.seed !== (request.seed | 0)) {
    delete config.seed;
    report("seed");
  }
  return config;
}
