import { describe, expect, it } from "vitest";
import { type ChatRequest, chunksOf, type Format } from "../../core/index.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { cohereChat } from "../../plugins/format-cohere-chat/index.ts";
import { gemini } from "../../plugins/format-gemini/index.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";
import { assembled } from "./assembled.ts";
import { vendorContext } from "./vendor-context.ts";

const code = { executableCode: { language: "PYTHON", code: "print(2+2)" } };
const result = (outcome: string, output?: string) => ({ codeExecutionResult: { outcome, ...(output && { output }) } });
const answered = (...parts: object[]) =>
  gemini.decodeResponse({
    candidates: [{ content: { parts, role: "model" }, finishReason: "STOP", index: 0 }],
    responseId: "r",
    modelVersion: "gemini-2.5-flash",
  });

const worked = [code, result("OUTCOME_OK", "4\n")];
const broke = [code, result("OUTCOME_FAILED", "No.")];
const thought = { text: "Hm.", thought: true };
const said = { text: "It is 4." };
const call = { functionCall: { name: "f", args: {} } };
const shown = "```python\nprint(2+2)\n```\n\n```\n4\n```";

const ranHere = "signed-by:nobody:";
const blocks = (at: number, content: object) => [
  {
    type: "server_tool_use",
    id: `${ranHere}gateway-r-0-run-${at}`,
    name: "code_execution",
    input: { code: "print(2+2)" },
  },
  { type: "code_execution_tool_result", tool_use_id: `${ranHere}gateway-r-0-run-${at}`, content },
];
const outcome = (more: object) => ({
  type: "code_execution_result",
  stdout: "",
  stderr: "",
  return_code: 0,
  content: [],
  ...more,
});
const item = (more: object) =>
  expect.objectContaining({ type: "code_interpreter_call", code: "print(2+2)", container_id: ranHere, ...more });

describe("code that Gemini ran", () => {
  it("is a use of the vendor's own tool for clients of Anthropic", () => {
    expect(anthropicMessages.encodeResponse(answered(...worked, ...broke, said), vendorContext).content).toEqual([
      ...blocks(1, outcome({ stdout: "4\n" })),
      ...blocks(2, outcome({ stderr: "No.", return_code: 1 })),
      { type: "text", text: "It is 4." },
    ]);
  });

  it("is a call of the interpreter for clients of the Responses API, with or without a result", () => {
    expect(
      openAiResponses.encodeResponse(answered(...worked, ...broke, code, said, code), vendorContext).output,
    ).toEqual([
      item({ status: "completed", outputs: [{ type: "logs", logs: "4\n" }] }),
      item({ status: "failed", outputs: [{ type: "logs", logs: "No." }] }),
      item({ status: "completed", outputs: null }),
      expect.objectContaining({ type: "message" }),
      item({ status: "completed", outputs: null }),
    ]);
  });

  it.each([openAiChat, cohereChat, bedrockConverse])(
    "is left out for clients of $name, unless the answer would be empty",
    (client) => {
      const wire = (...parts: object[]) => JSON.stringify(client.encodeResponse(answered(...parts), vendorContext));
      expect(wire(...worked, said)).not.toContain("print(2+2)");
      expect(wire(...worked, call)).not.toContain("print(2+2)");
      const text = JSON.stringify(shown).slice(1, -1);
      expect(wire(...worked)).toContain(text);
      expect(wire(thought, ...worked, ...worked)).toContain(`${text}\\n\\n${text}`);
    },
  );
});

const clients = [openAiChat, openAiResponses, anthropicMessages, cohereChat, bedrockConverse, gemini];
const answers = [worked, broke, [thought, ...worked], [...worked, said], [code, said], [said, ...worked, call], [code]];

describe.each(clients)("a stream with code that was run, for a client of $name", (client) => {
  it.each(answers.map((parts) => ({ parts })))("says what the whole answer says: $parts", ({ parts }) => {
    const response = answered(...parts);
    const encoder = client.encodeStream?.(vendorContext);
    const text = [...chunksOf(response)].map((chunk) => encoder?.push(chunk)).join("") + encoder?.end();
    const bytes = Buffer.from(text, framingRules(client.framing).encoding);
    const whole = client.decodeResponse(JSON.parse(JSON.stringify(client.encodeResponse(response, vendorContext))));
    expect(assembled(client, bytes).choices).toEqual(whole.choices);
  });
});

it.each<[Format<"chat">, string, string]>([
  [anthropicMessages, "messages.server_tool_use", "messages.code_execution_tool_result"],
  [openAiResponses, "messages.code_interpreter_call", "messages.code_interpreter_call"],
])("it does not go to a vendor of $0.name as if that one had run it", (format, ...names) => {
  const [choice] = format.decodeResponse(format.encodeResponse(answered(...worked, said), vendorContext)).choices;
  const request: ChatRequest = {
    model: "m",
    stream: false,
    messages: [
      { role: "user", content: [{ type: "text", text: "2+2?" }] },
      { role: "assistant", content: choice?.content ?? [] },
      { role: "user", content: [{ type: "text", text: "Twice?" }] },
    ],
  };
  const dropped: string[] = [];
  const wire = JSON.stringify(format.encodeRequest(request, (name) => dropped.push(name)));
  expect(wire).toContain("It is 4.");
  expect(wire).not.toContain("print");
  expect(dropped).toEqual([...new Set(names)]);
  const shownOnce = JSON.stringify(format.encodeResponse(answered(...worked), vendorContext));
  expect(format.borrowed?.some((text) => shownOnce.includes(text))).toBe(true);
});
