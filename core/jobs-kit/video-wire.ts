import { fieldsIn, isRecord } from "../codec-kit/records.ts";
import { chargedIn } from "../codec-kit/usage/charged.ts";
import { tokenCount } from "../codec-kit/usage/counts.ts";
import type { Usage } from "../model/usage.ts";
import type { VideoWire } from "../model/video-wire.ts";

/** What is known of a video when it is begun. Of one, where several are. */
export interface BegunVideo {
  readonly id: string;
  readonly model: string | undefined;
  readonly usage: Usage;
}

export interface ToldVideo {
  readonly model: string | undefined;
  /** What it used, once it is there: nothing of one that is not. */
  readonly usage: Usage | undefined;
}

/** Reads the answer that a video was begun with; undefined where it is none. `model` is the one that was asked. */
export function begunVideo(wire: VideoWire, answer: unknown, asked: unknown, model?: string): BegunVideo | undefined {
  const id = textAt(answer, wire.id);
  if (id === undefined) return undefined;
  const seconds = countAt(asked, wire.askedSeconds) ?? wire.usualSeconds;
  const size = sizeOf(textAt(asked, wire.askedSize)) ?? namedSize(wire, asked);
  return { id, model: textAt(answer, wire.model) ?? model, usage: usageOf({ videos: 1, seconds, size }) };
}

/** Reads what is told of one; `begun` is what is known of it from then. */
export function toldVideo(wire: VideoWire, answer: unknown, begun: Omit<BegunVideo, "id"> | undefined): ToldVideo {
  const model = textAt(answer, wire.model) ?? begun?.model;
  const made = wire.made ? madeIn(answer, wire.made) : 1;
  const isThere = wire.over.some(([path, value]) => at(answer, path) === value);
  if (!isThere || made === 0) return { model, usage: undefined };
  const told = countAt(answer, wire.seconds);
  const each = begun?.usage.videoSeconds;
  const tokens = countAt(answer, wire.tokens);
  const usage = usageOf({
    videos: made,
    seconds: told ?? (each === undefined ? undefined : made * each),
    size: sizeOf(textAt(answer, wire.size)) ?? sizeOfSides(wire, answer) ?? begun?.usage.videoSize,
  });
  const charged = chargedIn(fieldsIn(fieldsIn(answer).usage));
  const serviceTier = textAt(answer, wire.tier);
  return {
    model,
    usage: {
      ...usage,
      ...(tokens !== undefined && { outputTokens: tokens, outputVideoTokens: tokens }),
      ...(charged && { charged }),
      ...(serviceTier !== undefined && { serviceTier }),
    },
  };
}

/** The id of a video that is asked for: in the path, in the request, or in the answer. */
export const idOfTold = (wire: VideoWire, path: string, asked: unknown, answer: unknown): string | undefined =>
  textAt(answer, wire.id) ?? textAt(asked, wire.askedId) ?? wire.told.exec(path)?.[1];

interface Made {
  readonly videos: number;
  readonly seconds: number | undefined;
  readonly size: string | undefined;
}

const usageOf = ({ videos, seconds, size }: Made): Usage => ({
  videos,
  ...(seconds && { videoSeconds: seconds }),
  ...(size !== undefined && { videoSize: size }),
});

/** Widths and heights that go by a name, of films that are wide. */
const named: Readonly<Record<string, readonly [number, number]>> = {
  "720p": [1280, 720],
  "1080p": [1920, 1080],
  "4k": [3840, 2160],
};

/** Where nothing is said it is 720p, and wide. */
function namedSize({ askedResolution: paths }: VideoWire, asked: unknown): string | undefined {
  if (!paths) return undefined;
  const [name, ratio] = paths;
  const sides = named[String(at(asked, name) ?? "720p").toLowerCase()];
  if (!sides) return undefined;
  const [long, short] = sides;
  const shape = at(asked, ratio) ?? "16:9";
  if (shape === "16:9") return `${long}x${short}`;
  return shape === "9:16" ? `${short}x${long}` : undefined;
}

function sizeOfSides({ sides }: VideoWire, answer: unknown): string | undefined {
  const [width, height] = sides?.map((path) => tokenCount(at(answer, path))) ?? [];
  return width && height ? `${width}x${height}` : undefined;
}

const sizeOf = (text: string | undefined): string | undefined =>
  text === undefined || !/^\d+[x*]\d+$/i.test(text) ? undefined : text.toLowerCase().replace("*", "x");

function textAt(wire: unknown, paths: readonly string[] = []): string | undefined {
  const found = paths.map((path) => at(wire, path)).find((value) => typeof value === "string" && value !== "");
  return found as string | undefined;
}

/** A number, also one that is written as text, or how many there are in a list. */
function countAt(wire: unknown, paths: readonly string[] = []): number | undefined {
  for (const path of paths) {
    const value = at(wire, path);
    const count = Array.isArray(value) ? value.length : tokenCount(value);
    if (count !== undefined) return count;
  }
  return undefined;
}

/** How many of them there are: what is no count, and no list, is one. */
function madeIn(wire: unknown, paths: readonly string[]): number {
  const path = paths.find((one) => at(wire, one) !== undefined);
  return path === undefined ? 0 : (countAt(wire, [path]) ?? 1);
}

function at(wire: unknown, path: string): unknown {
  let value = wire;
  for (const name of path.split(".")) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value ?? undefined;
}
