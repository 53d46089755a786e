import { expect, it } from "vitest";
import type { Format } from "../../core/index.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/format.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/format.ts";
import { cohereChat } from "../../plugins/format-cohere-chat/format.ts";

const context = { provider: "p", model: "m", strict: false, now: 1, id: "i", includeUsage: true };

/** Answers that a stop sequence has ended, of which some say which one it was. */
const answers: readonly [string, Format, object, string | null][] = [
  ["Cohere, which does not say which", cohereChat, { message: { content: [] }, finish_reason: "STOP_SEQUENCE" }, null],
  [
    "Anthropic",
    anthropicMessages,
    { type: "message", role: "assistant", content: [], stop_reason: "stop_sequence", stop_sequence: "END" },
    "END",
  ],
  [
    "a model on Bedrock that does not say which",
    bedrockConverse,
    { output: { message: { role: "assistant", content: [{ text: "a" }] } }, stopReason: "stop_sequence" },
    null,
  ],
];

it.each(answers)("that a stop sequence has ended it, is told of an answer of %s", (_, upstream, wire, sequence) => {
  const response = upstream.decodeResponse(wire);
  const told = (format: Format) => format.encodeResponse(response as never, context);
  expect(told(anthropicMessages)).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: sequence });
  expect(told(bedrockConverse)).toMatchObject({ stopReason: "stop_sequence" });
  expect(told(cohereChat)).toMatchObject({ finish_reason: "STOP_SEQUENCE" });
});
