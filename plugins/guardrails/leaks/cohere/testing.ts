import { cohereChat } from "../../../format-cohere-chat/format.ts";
import { event, type Json, pieces, type Vendor, whole } from "../testing.ts";

const cohereTexts = (text: string, ...citations: Json[]) => ({ content: [{ type: "text", text }], citations });
const source = { type: "document", id: "d", document: { id: "d", title: whole, snippet: whole } };
const citation = { start: 0, end: 3, text: "Hi.", content_index: 0, type: "TEXT_CONTENT" };

export const cohere: Vendor<Json> = {
  format: cohereChat,
  answer: (said) => ({ id: "c", finish_reason: "COMPLETE", message: { role: "assistant", ...said } }),
  stream: ({ content, citations, ...others }) => {
    const texts = (Array.isArray(content) ? content : []).map(({ text }: Json) => text);
    const at = (type: string, message: Json) => event({ type, index: 0, delta: { message } });
    return [
      event({ type: "message-start", id: "c", delta: { message: { role: "assistant" } } }),
      ...texts.flatMap((text) => [
        at("content-start", { content: { type: "text", text: "" } }),
        ...pieces(text).map((piece) => at("content-delta", { content: { text: piece } })),
        ...(Array.isArray(citations) ? citations : []).map((one: Json) => at("citation-start", { citations: one })),
        event({ type: "content-end", index: 0 }),
      ]),
      ...(Array.isArray(others.tool_calls) ? others.tool_calls : []).map((call: Json) =>
        at("tool-call-start", { tool_calls: call }),
      ),
      event({ type: "message-end", id: "c", delta: { finish_reason: "COMPLETE" } }),
    ];
  },
  places: {
    "the text": cohereTexts(whole),
    "what is cited of it": cohereTexts(whole, {
      ...citation,
      end: 13,
      text: whole,
      sources: [{ type: "document", id: "d", document: { id: "d" } }],
    }),
    "what it is cited from": cohereTexts("Hi.", {
      ...citation,
      sources: [source, { type: "tool", id: "t", tool_output: { found: whole } }],
    }),
    "the arguments of the only call": {
      tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: JSON.stringify({ q: whole }) } }],
    },
  },
};
