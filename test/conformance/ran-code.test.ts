import { describe, expect, it } from "vitest";
import { type ChatRequest, type ChatResponse, chunksOf, type Format } from "../../core/index.ts";
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
const said1 = { type: "text", text: "It is 4." };
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

const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const interpreted = (outputs: readonly object[] | null, more: object = {}) => ({
  type: "code_interpreter_call",
  id: "ci_1",
  status: "completed",
  code: "print(2+2)",
  container_id: "cntr_1",
  outputs,
  ...more,
});
const message = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "It is 4.", annotations: [] }],
};
const answeredByOpenAi = (...output: object[]) =>
  openAiResponses.decodeResponse({ id: "resp_1", model: "gpt-5.1", status: "completed", output });

const used = (name: string, input: object) => ({ type: "server_tool_use", id: "srvtoolu_1", name, input });
const came = (name: string, content: object) => ({
  type: `${name}_tool_result`,
  tool_use_id: "srvtoolu_1",
  content,
});
const answeredByClaude = (...content: object[]) =>
  anthropicMessages.decodeResponse({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content,
    stop_reason: "end_turn",
  });
const finished = (more: object) => ({ type: "code_execution_result", stdout: "", stderr: "", return_code: 0, ...more });

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

describe("code that a vendor of the Responses API ran", () => {
  const decoded = answeredByOpenAi(interpreted([{ type: "logs", logs: "4\n" }]), message);

  it("is a use of the vendor's own tool for clients of Anthropic", () => {
    expect(anthropicMessages.encodeResponse(decoded, vendorContext).content).toEqual([
      { type: "server_tool_use", id: `${ranHere}ci_1`, name: "code_execution", input: { code: "print(2+2)" } },
      { type: "code_execution_tool_result", tool_use_id: `${ranHere}ci_1`, content: outcome({ stdout: "4\n" }) },
      { type: "text", text: "It is 4." },
    ]);
  });

  it("is executable code and its result for clients of Gemini, of which each may be missing", () => {
    const parts = (...output: object[]) =>
      JSON.parse(JSON.stringify(gemini.encodeResponse(answeredByOpenAi(...output), vendorContext))).candidates[0]
        .content.parts;
    const id = `${ranHere}ci_1`;
    const executableCode = { id, language: "PYTHON", code: "print(2+2)" };
    expect(parts(interpreted([{ type: "logs", logs: "4\n" }]), message)).toEqual([
      { executableCode },
      { codeExecutionResult: { id, outcome: "OUTCOME_OK", output: "4\n" } },
      { text: "It is 4." },
    ]);
    expect(parts(interpreted(null))).toEqual([{ executableCode }]);
    expect(parts(interpreted([{ type: "logs", logs: "No." }], { code: null, status: "failed" }))).toEqual([
      { codeExecutionResult: { id, outcome: "OUTCOME_FAILED", output: "No." } },
    ]);
    expect(parts(interpreted(null, { code: null }), message)).toEqual([{ text: "It is 4." }]);
  });

  it("shows the images it made, and those that were drawn, to clients that can see them", () => {
    const drawn = { type: "image_generation_call", id: "ig_1", status: "completed", result: image };
    const plotted = interpreted([{ type: "image", url: `data:image/png;base64,${image}` }]);
    const inlineData = { mimeType: "image/png", data: image };
    for (const item of [plotted, drawn]) {
      const shownParts = gemini.encodeResponse(answeredByOpenAi(item, message), vendorContext).candidates;
      expect(shownParts).toMatchObject([{ content: { parts: expect.arrayContaining([{ inlineData }]) } }]);
      const said = openAiChat.encodeResponse(answeredByOpenAi(item, message), { ...vendorContext, strict: false });
      expect(said).toMatchObject({
        choices: [{ message: { content_parts: [{ image_url: { url: `data:image/png;base64,${image}` } }] } }],
      });
    }
  });

  it("has a drawing named by its type, by the item or by its bytes, and leaves one that failed alone", () => {
    const typeOf = (item: object) =>
      answeredByOpenAi({ type: "image_generation_call", ...item }).choices[0]?.content[0];
    const source = (mediaType: string) => ({ type: "image", source: { kind: "data", mediaType } });
    expect(typeOf({ result: "AAAA", output_format: "webp" })).toMatchObject(source("image/webp"));
    expect(typeOf({ result: "AAAA", output_format: "svg" })).toMatchObject(source("image/svg+xml"));
    expect(typeOf({ result: "/9j/4AAQSkZJRgABAQAA" })).toMatchObject(source("image/jpeg"));
    expect(typeOf({ result: "AAAA" })).toMatchObject(source("image/png"));
    expect(typeOf({ result: null, status: "failed" })).toMatchObject({ type: "opaque" });
  });
});

describe("code that Claude ran", () => {
  it.each<[string, object, string, object, object]>([
    ["code_execution", { code: "print(2+2)" }, "code_execution", finished({ stdout: "4\n" }), { logs: "4\n" }],
    [
      "bash_code_execution",
      { command: "print(2+2)" },
      "bash_code_execution",
      { ...finished({ stdout: "4", stderr: "No.", return_code: 2 }), type: "bash_code_execution_result" },
      { logs: "4\nNo." },
    ],
    [
      "code_execution",
      { code: "print(2+2)" },
      "code_execution",
      { type: "code_execution_tool_result_error", error_code: "execution_time_exceeded" },
      { logs: "execution_time_exceeded" },
    ],
  ])("is a call of the interpreter for clients of the Responses API: %s %j", (name, input, kind, content, logs) => {
    const decoded = answeredByClaude(used(name, input), came(kind, content), said1);
    const status = "stdout" in content && !("return_code" in content && content.return_code) ? "completed" : "failed";
    expect(openAiResponses.encodeResponse(decoded, vendorContext).output).toEqual([
      item({ status, outputs: [{ type: "logs", ...logs }] }),
      expect.objectContaining({ type: "message" }),
    ]);
  });

  it("is told as text where the answer would be empty, and no other use of a tool is", () => {
    const worked = [
      used("code_execution", { code: "print(2+2)" }),
      came("code_execution", finished({ stdout: "4\n" })),
    ];
    expect(JSON.stringify(openAiChat.encodeResponse(answeredByClaude(...worked), vendorContext))).toContain(
      JSON.stringify(shown).slice(1, -1),
    );
    const quiet = [
      used("web_search", { query: "print(2+2)" }),
      used("text_editor_code_execution", { command: "create", path: "a.py" }),
      came("code_execution", { type: "encrypted_code_execution_result", encrypted_stdout: "E", stderr: "" }),
    ];
    for (const block of quiet) expect(answeredByClaude(block).choices[0]?.content[0]).not.toHaveProperty("ran");
  });
});

const clients = [openAiChat, openAiResponses, anthropicMessages, cohereChat, bedrockConverse, gemini];
const parts = [worked, broke, [thought, ...worked], [...worked, said], [code, said], [said, ...worked, call], [code]];
const logs = [{ type: "logs", logs: "4\n" }];
const plot = { type: "image", url: `data:image/png;base64,${image}` };
const items = [
  [interpreted(logs), message],
  [interpreted(logs)],
  [interpreted(null), interpreted([...logs, plot]), message],
  [interpreted([plot])],
  [{ type: "image_generation_call", id: "ig_1", status: "completed", result: image }, message],
];
const turns = [
  [used("code_execution", { code: "print(2+2)" }), came("code_execution", finished({ stdout: "4\n" })), said1],
  [used("bash_code_execution", { command: "ls" }), came("bash_code_execution", finished({ return_code: 1 }))],
];
const answers = [
  ...parts.map((one) => answered(...one)),
  ...items.map((one) => answeredByOpenAi(...one)),
  ...turns.map((one) => answeredByClaude(...one)),
];

describe.each(clients)("a stream with code that was run, for a client of $name", (client) => {
  it.each(answers)("says what the whole answer says: %j", (response) => {
    const encoder = client.encodeStream?.(vendorContext);
    const text = [...chunksOf(response)].map((chunk) => encoder?.push(chunk)).join("") + encoder?.end();
    const bytes = Buffer.from(text, framingRules(client.framing).encoding);
    const whole = client.decodeResponse(JSON.parse(JSON.stringify(client.encodeResponse(response, vendorContext))));
    expect(assembled(client, bytes).choices).toEqual(whole.choices);
  });
});

it.each<[Format<"chat">, ChatResponse, string, string]>([
  [anthropicMessages, answered(...worked, said), "messages.server_tool_use", "messages.code_execution_tool_result"],
  [openAiResponses, answered(...worked, said), "messages.code_interpreter_call", "messages.code_interpreter_call"],
  [gemini, answeredByOpenAi(interpreted(logs), message), "messages.executable_code", "messages.code_execution_result"],
])("it does not go to a vendor of $0.name as if that one had run it", (format, given, ...names) => {
  const shownTo = JSON.parse(JSON.stringify(format.encodeResponse(given, vendorContext)));
  const [choice] = format.decodeResponse(shownTo).choices;
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
  expect(format.borrowed?.some((text) => JSON.stringify(shownTo).includes(text))).toBe(true);
});
