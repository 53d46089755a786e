import { defineProvider, isRecord, noThinking } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/** Models that think or not, as they are told (api-reference/chat-completions: `enable_thinking`); the others refuse to be told. */
const isSwitched = (model: unknown): boolean =>
  /\/(?:qwen3(?:\.\d)?-\d+b(?:-a\d+b)?|glm-(?:4\.5v|4\.6|4\.7|5)|deepseek-v(?:3\.[12]|4).*|hunyuan-a13b-instruct)$/i.test(
    String(model),
  );

/** `thinking` is what others call the switch, and an effort of `none` means it. */
function withSwitch({ thinking, reasoning_effort: effort, ...wire }: Wire, report: Report): Record<string, unknown> {
  const off = noThinking(thinking, effort) !== undefined;
  const more = effort === undefined || effort === "none" ? {} : { reasoning_effort: effort };
  if (!off && !isRecord(thinking)) return { ...wire, ...more };
  if (isSwitched(wire.model)) return { enable_thinking: !off, ...wire, ...(!off && more) };
  report?.(isRecord(thinking) ? "thinking" : "reasoning_effort");
  return { ...wire, ...more };
}

export default defineProvider({
  name: "siliconflow",
  summary: "SiliconFlow: open models, served from China.",
  baseUrl: "https://api.siliconflow.cn/v1",
  // Asked for by a POST that names it (docs.siliconflow.cn, "videos/get_videos_status").
  videos: {
    begun: /^\/video\/submit$/,
    told: /^\/video\/status$/,
    id: ["requestId"],
    askedId: ["requestId"],
    over: [["status", "Succeed"]],
    made: ["results.videos"],
    askedSize: ["image_size"],
  },
  operations: {
    chat: { format: "openai-chat", rewrite: { when: ['"thinking"', '"reasoning_effort"'], apply: withSwitch } },
    embed: "openai-embeddings",
    image: "siliconflow-images",
  },
});
