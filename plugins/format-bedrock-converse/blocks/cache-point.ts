import { type CacheMarker, type ChatRequest, compact, type Fields, reportMarker } from "../../../core/index.ts";
import { isOwn, type Report } from "../fields.ts";
import { cachesPrompts } from "../model-family.ts";

/** The point behind a block with a marker; none where there is no marker, or where the model would refuse the point. */
export type CachePoints = (
  cache: CacheMarker | undefined,
  name: "messages.cache_control" | "tools.cache_control",
) => Fields[];

/** Cache points as the model of a request takes them. A client of this format has its own back, whichever it asks. */
export function cachePointsFor({ model, extra }: ChatRequest, report: Report): CachePoints {
  const taken = isOwn(extra) || cachesPrompts(model);
  return (cache, name) => {
    if (!cache) return [];
    if (taken) return [cachePoint(cache)];
    if (cache.breakpoint) reportMarker(cache, report);
    else report(name);
    return [];
  };
}

const cachePoint = ({ ttl }: CacheMarker): Fields => ({ cachePoint: compact({ type: "default", ttl }) });
