import type { WireEvent } from "../../../../core/index.ts";
import { bedrockConverse } from "../../../format-bedrock-converse/format.ts";
import { event, type Json, pieces, type Vendor, whole } from "../testing.ts";

export const converse: Vendor<Json> = {
  format: bedrockConverse,
  answer: ({ trace, ...block }) => ({
    output: { message: { role: "assistant", content: [block] } },
    stopReason: "end_turn",
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    trace,
  }),
  stream: ({ trace, ...block }) => [
    event({ role: "assistant" }, "messageStart"),
    ...converseEvents(block),
    event({ contentBlockIndex: 0 }, "contentBlockStop"),
    event({ stopReason: "end_turn" }, "messageStop"),
    event({ usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, trace }, "metadata"),
  ],
  places: {
    "the text": { text: whole },
    "what a guardrail of the vendor saw": { text: whole, trace: { guardrail: { modelOutput: [whole] } } },
    "what is cited of a document": {
      citationsContent: {
        content: [{ text: "Hi." }],
        citations: [
          {
            title: whole,
            sourceContent: [{ text: whole }],
            location: { documentChar: { documentIndex: 0, start: 0, end: 1 } },
          },
        ],
      },
    },
    "a tool of the vendor": {
      toolUse: { toolUseId: "t", name: "nova_grounding", type: "server_tool_use", input: { query: whole } },
    },
    "what a tool of the vendor found": {
      toolResult: {
        toolUseId: "t",
        type: "nova_grounding_result",
        status: "success",
        content: [{ text: whole }, { json: { found: whole } }],
      },
    },
    "the arguments of the only call": { toolUse: { toolUseId: "t", name: "f", input: { q: whole } } },
  },
};

function converseEvents({ text, citationsContent, toolUse, toolResult }: Json): WireEvent[] {
  const start = (begun: Json) => event({ contentBlockIndex: 0, start: begun }, "contentBlockStart");
  const delta = (one: Json) => event({ contentBlockIndex: 0, delta: one }, "contentBlockDelta");
  if (text !== undefined) return pieces(text).map((piece) => delta({ text: piece }));
  if (citationsContent !== undefined) {
    const { content, citations } = citationsContent as { content: Json[]; citations: Json[] };
    return [
      ...content.map(({ text: piece }) => delta({ text: piece })),
      ...citations.map((one) => delta({ citation: one })),
    ];
  }
  if (toolUse !== undefined) {
    const { input, ...begun } = toolUse as Json;
    return [start({ toolUse: begun }), delta({ toolUse: { input: JSON.stringify(input) } })];
  }
  const { content, ...begun } = toolResult as { content: Json[] };
  return [start({ toolResult: begun }), delta({ toolResult: content })];
}
