import { chargedIn, compact, type Fields, fieldsIn, type JobPlace, tokenCount, type Usage } from "../../core/index.ts";

const textIn = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/**
 * A video as it is told (`Video` of openai 7.59; Azure and Together have it, too): how long and how large it is to be stands in it
 * from the beginning, and it is paid for once it is completed. OpenRouter tells its place and, in the end, what was charged
 * (`VideoGenerationResponse`).
 */
function toldVideo(wire: Readonly<Fields>): ReturnType<NonNullable<JobPlace["told"]>> {
  const id = textIn(wire.id);
  const isVideo = wire.object === "video" || textIn(wire.polling_url) !== undefined;
  if (id === undefined || !isVideo) return undefined;
  const uses: Usage = compact({
    videos: 1,
    videoSeconds: tokenCount(Number(wire.seconds)) || undefined,
    videoSize: textIn(wire.size),
    charged: chargedIn(fieldsIn(wire.usage)),
  });
  return compact({
    id,
    model: textIn(wire.model),
    uses,
    used: wire.status === "completed" ? { usage: uses, calls: 1 } : undefined,
  });
}

/** Where videos are told of, and given. */
export const videoPlaces: readonly JobPlace[] = [
  { path: /^(?:\/openai)?(?:\/v\d\w*)?\/videos\/([^/]+)$/, is: "job", told: toldVideo },
  { path: /^(?:\/openai)?(?:\/v\d\w*)?\/videos\/([^/]+)\/content$/, is: "made" },
];
