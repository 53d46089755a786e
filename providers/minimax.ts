import { defineProvider, type ErrorDetail, isRecord } from "../core/provider-kit/index.ts";

/** Some refusals come with status 200: `{base_resp: {status_code, status_msg}}`, where 0 is none. */
function readError(_: number, wire: unknown): ErrorDetail | undefined {
  const { status_code: code, status_msg: message } = isRecord(wire) && isRecord(wire.base_resp) ? wire.base_resp : {};
  if (typeof code !== "number" || code === 0 || typeof message !== "string") return undefined;
  return { message, code };
}

export default defineProvider({
  name: "minimax",
  summary: "MiniMax: the M and abab models.",
  baseUrl: "https://api.minimax.io/v1",
  operations: {
    // "temperature must be in (0.0, 1.0]" (docs/api-reference/text-openai-api): what others call no chance at all is refused.
    chat: { format: "openai-chat", clamps: { temperature: [0.01, 1] } },
  },
  readError,
});
