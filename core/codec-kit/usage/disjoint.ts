import type { Usage } from "../../model/usage.ts";
import { compact } from "../records.ts";
import { sumOf } from "./counts.ts";

type Count = number | undefined;

/** Counts as OpenAI writes them: input and output have their parts in them, and the total has both. */
export interface InclusiveCounts {
  readonly input?: Count;
  readonly output?: Count;
  readonly total?: Count;
  readonly cacheRead?: Count;
  readonly cacheWrite?: Count;
  readonly inputAudio?: Count;
  readonly reasoning?: Count;
  readonly outputAudio?: Count;
}

/**
 * The same in disjoint buckets, which are together what the vendor says they are.
 *
 * Some vendors count parts beside the whole they belong to: xAI reasoning always, and cached tokens with some of its models.
 * Their total tells: it has such a part in it once more. Where there is no total, or one with room for it, a part that is more
 * than its whole cannot be in it, and is beside it; where the total has no room, the part is cut down to its whole.
 */
export function disjoint(counts: InclusiveCounts): Usage {
  const { input, output, cacheRead, cacheWrite, inputAudio, reasoning, outputAudio } = counts;
  const beside = besides(counts);
  const read = new Whole(input);
  const cacheReadTokens = beside.cached ? cacheRead : read.less(cacheRead);
  const cacheWriteTokens = beside.cached ? cacheWrite : read.less(cacheWrite);
  const inputAudioTokens = read.less(inputAudio);
  const written = new Whole(output);
  const reasoningTokens = beside.reasoning ? reasoning : written.less(reasoning);
  const outputAudioTokens = written.less(outputAudio);
  return compact({
    inputTokens: read.left,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: written.left,
    reasoningTokens,
    inputAudioTokens,
    outputAudioTokens,
  });
}

/** Which parts are counted beside their wholes. */
function besides({ input, output, total, cacheRead, cacheWrite, reasoning = 0 }: InclusiveCounts) {
  const cached = sumOf(cacheRead, cacheWrite);
  // A whole nobody told is no reason to believe that its parts are beside it.
  const tooMuch = {
    cached: input !== undefined && cached > input,
    reasoning: output !== undefined && reasoning > output,
  };
  // A total of nothing says nothing.
  if (!total) return tooMuch;
  const room = total - sumOf(input, output);
  if (cached > 0 && reasoning > 0 && room === cached + reasoning) return { cached: true, reasoning: true };
  if (reasoning > 0 && room === reasoning && !tooMuch.cached) return { cached: false, reasoning: true };
  if (cached > 0 && room === cached) return { cached: true, reasoning: false };
  const cachedFits = tooMuch.cached && room >= cached;
  return { cached: cachedFits, reasoning: tooMuch.reasoning && room - (cachedFits ? cached : 0) >= reasoning };
}

/** A whole of which parts are taken: none of them is more than what those before it have left. */
class Whole {
  left: Count;

  constructor(count: Count) {
    this.left = count;
  }

  /** Takes a part, cut down to what is left. */
  less(part: Count): Count {
    if (part === undefined || this.left === undefined) return part;
    const kept = Math.min(part, this.left);
    this.left -= kept;
    return kept;
  }
}
