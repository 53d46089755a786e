import { defineProvider, isRecord, z } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

const hosts = { "ap-southeast-1": "ark.ap-southeast.bytepluses.com", "eu-west-1": "ark.eu-west.bytepluses.com" };
const region = z.enum(["ap-southeast-1", "eu-west-1"]).default("ap-southeast-1").describe("Where the endpoints are.");

/** Texts, images and videos that are embedded together: the vendor has a path of its own for those. */
const isMixed = (input: unknown): boolean => (Array.isArray(input) ? input : [input]).some(isRecord);

const addressOf = ({ url, base64 }: Wire): unknown =>
  url ?? (base64 === undefined ? undefined : `data:image/png;base64,${base64}`);

/** `{text, image: {url}}` as the vendor's typed parts; those it wrote itself stay. */
function partsOf(item: unknown): unknown[] {
  if (!isRecord(item) || item.type !== undefined) return [isRecord(item) ? item : { type: "text", text: item }];
  const { text, image, video } = item;
  return [
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...(isRecord(image) ? [{ type: "image_url", image_url: { url: addressOf(image) } }] : []),
    ...(isRecord(video) ? [{ type: "video_url", video_url: { url: video.url } }] : []),
  ];
}

const mixed = (wire: Wire): Record<string, unknown> =>
  isMixed(wire.input) ? { ...wire, input: [wire.input].flat().flatMap(partsOf) } : { ...wire };

/** All parts together have one vector, which stands alone. */
const listed = (wire: Wire): Record<string, unknown> =>
  isRecord(wire.data) ? { ...wire, data: [{ index: 0, ...wire.data }] } : { ...wire };

export default defineProvider({
  name: "byteplus",
  summary: "BytePlus ModelArk: models by endpoint id (ep-…).",
  baseUrl: (options) => `https://${hosts[options.region]}/api/v3`,
  options: z.strictObject({ region }),
  headerOptions: { region: "byteplus-region" },
  operations: {
    chat: ["openai-chat", { format: "openai-responses", functionsOnly: true }],
    embed: {
      format: "openai-embeddings",
      path: ({ body }) => (isMixed(body?.input) ? "/embeddings/multimodal" : "/embeddings"),
      rewrite: { when: ['"text"', '"image"', '"video"', '"type"'], apply: mixed },
      normalise: listed,
    },
    image: { format: "openai-images", clamps: { guidance_scale: [1, 10], seed: [-1, 2_147_483_647] } },
  },
  // Tasks are billed by the token, and tell how long and of which tier they are ("Retrieve a video generation task").
  videos: {
    begun: /^(?:\/api\/v\d)?\/contents\/generations\/tasks$/,
    told: /^(?:\/api\/v\d)?\/contents\/generations\/tasks\/([^/]+)$/,
    id: ["id"],
    over: [["status", "succeeded"]],
    model: ["model"],
    seconds: ["duration"],
    askedSeconds: ["duration"],
    tokens: ["usage.completion_tokens"],
    tier: ["service_tier"],
  },
});
