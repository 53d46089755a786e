import {
  answeredFields,
  cacheMarkers,
  defineProvider,
  knownMessages,
  withoutCacheMarkers,
} from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/** "property 'reasoning_content' is unsupported", and names are (console.groq.com/docs/openai). Its own `reasoning` some models take. */
const refused = ["name", ...answeredFields.filter((name) => name !== "reasoning")];

const tiers: ReadonlySet<unknown> = new Set(["auto", "on_demand", "flex", "performance"]);

/** The tier everybody has is called otherwise here; of others than its own the vendor has none. */
function withOwnTier({ service_tier: tier, ...wire }: Wire, report: Report): Wire {
  if (tier === undefined || tier === null) return wire;
  if (tier === "default") return { ...wire, service_tier: "on_demand" };
  if (tiers.has(tier)) return { ...wire, service_tier: tier };
  report?.("service_tier");
  return wire;
}

export default defineProvider({
  name: "groq",
  summary: "Groq: open models at high speed.",
  baseUrl: "https://api.groq.com/openai/v1",
  operations: {
    chat: [
      {
        format: "openai-chat",
        drops: ["logprobs", "logit_bias", "top_logprobs"],
        most: { stop: 4 },
        rewrite: {
          when: ["service_tier", "assistant", ...refused, ...cacheMarkers].map((name) => `"${name}"`),
          apply(asked, report) {
            const { messages, ...wire } = withoutCacheMarkers(asked, report);
            return {
              ...withOwnTier(wire, report),
              messages: Array.isArray(messages) ? knownMessages(messages, refused, report) : messages,
            };
          },
        },
      },
      { format: "openai-responses", functionsOnly: true },
    ],
    speech: "openai-speech",
    transcribe: "openai-transcriptions",
    translate: "openai-translations",
  },
});
