import { type ChatRequest, type Fields, fewStops, refuse } from "../../../core/index.ts";

type SettingName =
  | "maxTokens"
  | "temperature"
  | "topP"
  | "topK"
  | "seed"
  | "frequencyPenalty"
  | "presencePenalty"
  | "logprobs";

/** Fields that at most have another name here. */
const settings: readonly (readonly [wire: string, canonical: SettingName, kind: "number" | "boolean"])[] = [
  ["max_tokens", "maxTokens", "number"],
  ["temperature", "temperature", "number"],
  ["p", "topP", "number"],
  ["k", "topK", "number"],
  ["seed", "seed", "number"],
  ["frequency_penalty", "frequencyPenalty", "number"],
  ["presence_penalty", "presencePenalty", "number"],
  ["logprobs", "logprobs", "boolean"],
];

export const settingFields: readonly string[] = [...settings.map(([wire]) => wire), "stop_sequences"];

export function decodeSettings(wire: Readonly<Fields>): Partial<ChatRequest> {
  const decoded: Fields = {};
  for (const [name, canonical, kind] of settings) {
    const value = wire[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== kind) refuse(name, kind === "number" ? "a number" : "true or false", value);
    decoded[canonical] = value;
  }
  const { stop_sequences: stop } = wire;
  if (stop !== undefined && stop !== null) {
    if (!Array.isArray(stop) || stop.some((one) => typeof one !== "string"))
      refuse("stop_sequences", "a list of strings", stop);
    decoded.stop = stop;
  }
  return decoded as Partial<ChatRequest>;
}

/** The vendor refuses more stop sequences. */
const mostStops = 5;

export function encodeSettings(request: ChatRequest, report: (dropped: string) => void): Fields {
  const wire: Fields = {};
  for (const [name, canonical] of settings) wire[name] = request[canonical];
  wire.stop_sequences = fewStops(request.stop, mostStops, report);
  return wire;
}
