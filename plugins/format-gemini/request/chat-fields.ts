import { compact, type Extra, type Fields, isRecord } from "../../../core/index.ts";
import { camelled, formatName } from "../fields.ts";

/** Fields of chat requests that are there for this API (providers.md section 7.2). */
export const chatFields: ReadonlySet<string> = new Set([
  "safety_settings",
  "cached_content",
  "labels",
  "modalities",
  "image_config",
  "media_resolution",
  "speech_config",
  "audio",
]);

/** Those of them that belong in `generationConfig`. */
export function chatSettings(extra: Extra | undefined): Fields {
  if (!extra || extra.format === formatName) return {};
  const {
    modalities,
    image_config: image,
    media_resolution: mediaResolution,
    speech_config: speech,
    audio,
  } = extra.fields;
  const voice = isRecord(audio) && typeof audio.voice === "string" ? audio.voice : undefined;
  return compact({
    responseModalities: Array.isArray(modalities)
      ? modalitiesIn(modalities)
      : voice !== undefined || isRecord(speech)
        ? ["AUDIO"]
        : undefined,
    imageConfig: isRecord(image) ? camelled(image) : undefined,
    mediaResolution: resolution(mediaResolution),
    speechConfig: isRecord(speech)
      ? deeplyCamelled(speech)
      : (voice !== undefined && { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } }) || undefined,
  });
}

/**
 * What the answer is to be. OpenAI has sounds asked for beside text, which is what is said in them; models that speak here say nothing
 * besides, and refuse to be asked for both ("accepts the following combination of response modalities: AUDIO").
 */
function modalitiesIn(modalities: readonly unknown[]): readonly string[] {
  const asked = modalities.map((one) => String(one).toUpperCase());
  return asked.length === 2 && asked.includes("TEXT") && asked.includes("AUDIO") ? ["AUDIO"] : asked;
}

/** Sounds are PCM of 16 bits at 24 kHz, whatever is asked for (providers.md section 8.8): that is what OpenAI calls `pcm16`. */
export const wantsOtherSound = (extra: Extra | undefined): boolean => {
  const audio = extra && extra.format !== formatName ? extra.fields.audio : undefined;
  return isRecord(audio) && typeof audio.format === "string" && audio.format !== "pcm16";
};

/** Chat clients say `high`; the API has a longer name for it. Its own names stay. */
export const resolution = (level: unknown): unknown =>
  typeof level === "string" && /^[a-z_]+$/.test(level) ? `MEDIA_RESOLUTION_${level.toUpperCase()}` : level;

function deeplyCamelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deeplyCamelled);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(camelled(value)).map(([name, inner]) => [name, deeplyCamelled(inner)]));
}
