import { openAiChat } from "../../../format-openai-chat/format.ts";
import { event, type Json, pieces, tokens, type Vendor, whole } from "../testing.ts";

interface ChatSaid {
  readonly message: Json;
  readonly choice?: Json;
  readonly top?: Json;
}
const chatHead = { id: "c", object: "chat.completion", created: 1, model: "m" };
const page = {
  type: "url_citation",
  url_citation: { url: "https://a.example", title: whole, content: whole, start_index: 0, end_index: 2 },
};

export const chat: Vendor<ChatSaid> = {
  format: openAiChat,
  answer: ({ message, choice, top }) => ({
    ...chatHead,
    choices: [
      { index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: "stop", ...choice },
    ],
    ...top,
  }),
  stream: ({ message, choice = {}, top }) => {
    const { content, audio, ...others } = message;
    const chunk = (delta: Json, more: Json = {}) =>
      event({
        ...chatHead,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: null, ...more }],
        ...top,
      });
    const spoken = audio as { id: string; transcript: string } | undefined;
    return [
      ...(typeof content === "string" ? pieces(content).map((piece) => chunk({ content: piece }, choice)) : []),
      ...(Array.isArray(content) ? [chunk({ content })] : []),
      ...(spoken ? pieces(spoken.transcript).map((transcript) => chunk({ audio: { id: spoken.id, transcript } })) : []),
      ...(Object.keys(others).length > 0 ? [chunk(others)] : []),
      chunk({}, { finish_reason: "stop" }),
    ];
  },
  places: {
    "the text": { message: { content: whole } },
    "parts of the text": { message: { content: [{ type: "text", text: whole }] } },
    "the refusal": { message: { refusal: whole } },
    "tokens of the text": { message: { content: whole }, choice: { logprobs: tokens } },
    "the transcript of a sound": { message: { audio: { id: "a", transcript: whole, data: "AAAA", expires_at: 1 } } },
    "what a page is called that is cited": { message: { content: "Hi.", annotations: [page] } },
    "a file that was read": {
      message: { content: "Hi.", annotations: [{ type: "file", file: { content: [{ type: "text", text: whole }] } }] },
    },
    "pages that were found": {
      message: { content: "Hi." },
      top: { search_results: [{ title: whole, snippet: whole, url: "https://a.example" }] },
    },
    "documents of one's own": {
      message: { content: "Hi.", context: { citations: [{ content: whole, title: whole }], intent: `["${whole}"]` } },
    },
    "what tools of the vendor found": {
      message: {
        content: "Hi.",
        executed_tools: [{ type: "python", arguments: JSON.stringify({ code: whole }), output: whole }],
      },
    },
    "the arguments of the only call": {
      message: {
        tool_calls: [
          { index: 0, id: "c", type: "function", function: { name: "f", arguments: JSON.stringify({ q: whole }) } },
        ],
      },
    },
    "the input of the only call of a tool that takes text": {
      message: { tool_calls: [{ index: 0, id: "c", type: "custom", custom: { name: "f", input: whole } }] },
    },
  },
};
