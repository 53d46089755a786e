import { defineProvider, forcesTool } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Qwen thinks unless it is told not to from 3.5 on. */
const thinks = (model: unknown): boolean => /^qwen(?:3\.[5-9]|[4-9])/.test(String(model));

/**
 * Thinking has a switch of its own here, and where it is on no call is forced: "The tool_choice parameter does not support being
 * set to required or object in thinking mode".
 */
function withSwitch(wire: Wire, report?: (dropped: string) => void): Record<string, unknown> {
  const { reasoning_effort: effort, enable_thinking: own, ...rest } = wire;
  const wanted = own === true || (typeof effort === "string" && effort !== "none");
  if (forcesTool(wire) && (wanted ? isQwen(wire.model) : thinks(wire.model))) {
    if (wanted) report?.(own === true ? "enable_thinking" : "reasoning_effort");
    return { ...rest, enable_thinking: false };
  }
  return effort === "none" && own === undefined && thinks(wire.model)
    ? { ...rest, enable_thinking: false }
    : { ...wire };
}

/** Other makers' models that are served here have other switches. */
const isQwen = (model: unknown): boolean => String(model).startsWith("qwen");

export default defineProvider({
  name: "dashscope",
  summary: "Alibaba DashScope: the Qwen models.",
  baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
  operations: {
    chat: {
      format: "openai-chat",
      attachments: ["video"],
      rewrite: { when: ['"tool_choice"', '"reasoning_effort"'], apply: withSwitch },
    },
    embed: "openai-embeddings",
  },
  // Tasks, at the vendor's own API beside the compatible one. What is billed is `duration`, with what was shown of a film, or before
  // that had a name `video_duration` (docs.qwencloud.com, "Retrieve text-to-video result"); other tasks tell of no video. How many were
  // made is not said of those with people that move (wan-animate-move, wan-s2v, AnimateAnyone).
  videos: {
    begun: /\/services\/aigc\/(?:video-generation|image2video)\/[\w-]+$/,
    told: /^(?:\/api\/v\d)?\/tasks\/([^/]+)$/,
    id: ["output.task_id"],
    over: [["output.task_status", "SUCCEEDED"]],
    made: ["usage.video_count", "output.video_url", "output.results.video_url", "usage.video_ratio"],
    seconds: ["usage.duration", "usage.video_duration"],
    size: ["usage.size"],
    askedSize: ["parameters.size"],
  },
});
