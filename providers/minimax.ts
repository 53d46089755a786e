import { defineProvider, type ErrorDetail, isRecord, ownSignatures } from "../core/provider-kit/index.ts";

/** Some refusals come with status 200: `{base_resp: {status_code, status_msg}}`, where 0 is none. */
function readError(_: number, wire: unknown): ErrorDetail | undefined {
  const { status_code: code, status_msg: message } = isRecord(wire) && isRecord(wire.base_resp) ? wire.base_resp : {};
  if (typeof code !== "number" || code === 0 || typeof message !== "string") return undefined;
  return { message, code };
}

const usual = "https://api.minimax.io/v1";

// "temperature must be in (0.0, 1.0]" (docs/api-reference/text-openai-api): what others call no chance at all is refused.
const clamps = { temperature: [0.01, 1] } as const;

/** What its Messages API does not look at (docs/api-reference/text-anthropic-api). */
const ignored = ["container", "context_management", "mcp_servers", "service_tier", "stop_sequences", "top_k"];

export default defineProvider({
  name: "minimax",
  summary: "MiniMax: the M and abab models.",
  baseUrl: usual,
  operations: ({ baseUrl = usual }) => ({
    chat: [
      {
        // In chat completions what its models think stands in the text (decision 0059).
        format: "anthropic-messages",
        serves: (model) => /(?:^|\/)minimax-m[2-9]/i.test(model),
        path: `${baseUrl.replace(/(?:\/v1)?\/*$/, "")}/anthropic/v1/messages`,
        clamps,
        drops: ignored,
        ...ownSignatures("minimax", "anthropic-messages"),
      },
      { format: "openai-chat", clamps },
    ],
  }),
  readError,
});
