import type { Format } from "../../../../core/index.ts";
import { vendors } from "../answers/testing.ts";
import { type Json, whole } from "../testing.ts";

/** Places of a request that hold a secret, by the format it is in. */
interface Asked {
  readonly format: Format<"chat">;
  readonly places: Readonly<Record<string, Json>>;
}

const file = `data:text/plain;base64,${btoa(whole)}`;
const user = (...content: unknown[]) => ({ role: "user", content });

const nested = (levels: number, inner: object): object =>
  levels === 0 ? inner : { type: "nested", content: [nested(levels - 1, inner)] };
const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
const called = { role: "assistant", content: null, tool_calls: [call] };
const toldBy = (content: unknown) => [
  user({ type: "text", text: "Hi." }),
  called,
  { role: "tool", tool_call_id: "c1", content },
];
const chats = (...messages: object[]): Json => ({ model: "m", messages });

const chat: Asked = {
  format: vendors.chat.format,
  places: {
    "the text": chats({ role: "user", content: whole }),
    "a part": chats(user({ type: "text", text: whole })),
    "a part of a kind nobody knows": chats(user({ type: "written", text: whole })),
    ...Object.fromEntries(
      ["data", "role", "type", "customer_id", "signature", "thought_of_day", "reasoning"].map((name) => [
        `${name} of what a tool is called with`,
        chats(user({ type: "written", input: { [name]: whole, inner: { [name]: [whole] } } })),
      ]),
    ),
    "a name in what a tool is called with": chats(user({ type: "written", input: { inner: [{ [whole]: true }] } })),
    "what looks like bytes at first": chats(user({ type: "written", input: { a: `data:;base64,AA ${whole}` } })),
    "a part that is too deep": chats(user(nested(40, { type: "written", text: whole }))),
    "what a tool is called with, too deep": chats(user({ type: "written", input: nested(40, { a: whole }) })),
    "a file of text": chats(user({ type: "file", file: { filename: "a.txt", file_data: file } })),
    "the name of a file": chats(
      user({ type: "file", file: { filename: `${whole}.pdf`, file_data: "data:application/pdf;base64,JVBERi0=" } }),
    ),
    "what a tool found": chats(...toldBy(whole)),
    "parts of what a tool found": chats(...toldBy([{ type: "text", text: whole }])),
    "what a tool found, before a question": chats(...toldBy(whole), { role: "user", content: "Well?" }),
    "what a function found": chats(
      { role: "user", content: "Hi." },
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      { role: "function", name: "f", content: whole },
    ),
    "the beginning of the answer": chats({ role: "user", content: "Hi." }, { role: "assistant", content: whole }),
    "a refusal": chats(
      { role: "user", content: "Hi." },
      { role: "assistant", content: [{ type: "refusal", refusal: whole }] },
    ),
    "the last call": chats(
      { role: "user", content: "Hi." },
      { ...called, tool_calls: [{ ...call, function: { name: "f", arguments: JSON.stringify({ q: whole }) } }] },
    ),
    "the last call of a tool that takes text": chats(
      { role: "user", content: "Hi." },
      { ...called, tool_calls: [{ id: "c1", type: "custom", custom: { name: "f", input: whole } }] },
    ),
  },
};

const block = (...content: object[]): Json => ({ model: "m", max_tokens: 9, messages: [user(...content)] });
const used = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] };
const usedFor = (content: unknown, ...more: object[]): Json => ({
  ...block(),
  messages: [
    user({ type: "text", text: "Hi." }),
    used,
    user({ type: "tool_result", tool_use_id: "t1", content }, ...more),
  ],
});
const paused = (...content: object[]): Json => ({
  ...block(),
  messages: [user({ type: "text", text: "Hi." }), { role: "assistant", content }],
});
const plain = { type: "text", media_type: "text/plain", data: "Hi." };
const { places: answered } = vendors.anthropic;

const anthropic: Asked = {
  format: vendors.anthropic.format,
  places: {
    "the text": block({ type: "text", text: whole }),
    "a document": block({ type: "document", source: { ...plain, data: whole } }),
    "a document in base64": block({
      type: "document",
      source: { type: "base64", media_type: "text/plain", data: btoa(whole) },
    }),
    "what a document is called": block({ type: "document", title: whole, source: plain }),
    "what is said of a document": block({ type: "document", context: whole, source: plain }),
    "a document of blocks": block({
      type: "document",
      source: { type: "content", content: [{ type: "text", text: whole }] },
    }),
    "a passage": block({
      type: "search_result",
      source: "https://a.example",
      title: "a",
      content: [{ type: "text", text: whole }],
    }),
    "what a passage is called": block({
      type: "search_result",
      source: "https://a.example",
      title: whole,
      content: [{ type: "text", text: "Hi." }],
    }),
    "what a tool found": usedFor(whole),
    "blocks of what a tool found": usedFor([{ type: "text", text: whole }]),
    "a document that a tool found": usedFor([{ type: "document", source: { ...plain, data: whole } }]),
    "a passage that a tool found": usedFor([
      { type: "search_result", source: "a", title: whole, content: [{ type: "text", text: whole }] },
    ]),
    "what a tool found, before a question": usedFor(whole, { type: "text", text: "Well?" }),
    "an answer that paused": paused(answered["a command that was run"] ?? {}, answered["what a command printed"] ?? {}),
    "the last call": paused({ type: "tool_use", id: "t1", name: "f", input: { q: whole } }),
    "what is said to the model in between": {
      ...block(),
      messages: [user({ type: "text", text: "Hi." }), { role: "system", content: [{ type: "text", text: whole }] }],
    },
  },
};

const input = (...items: unknown[]): Json => ({ model: "m", input: items });
const asks = (...content: object[]): Json => input({ type: "message", role: "user", content });
const output = (type: string, value: unknown, more: Json = {}) => ({ type, call_id: "c1", output: value, ...more });
const functionCall = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
const customCall = { type: "custom_tool_call", call_id: "c1", name: "f", input: "a" };
const printed = output("shell_call_output", [{ stdout: whole, stderr: "", outcome: { type: "exit", exit_code: 0 } }]);

const responses: Asked = {
  format: vendors.responses.format,
  places: {
    "the text": { model: "m", input: whole },
    "a part": asks({ type: "input_text", text: whole }),
    "a part of a kind nobody knows": asks({ type: "written", text: whole }),
    "a file of text": asks({ type: "input_file", filename: "a.txt", file_data: file }),
    "the name of a file": asks({
      type: "input_file",
      filename: `${whole}.pdf`,
      file_data: "data:application/pdf;base64,JVBERi0=",
    }),
    "what a tool found": input(functionCall, output("function_call_output", whole)),
    "parts of what a tool found": input(
      functionCall,
      output("function_call_output", [{ type: "input_text", text: whole }]),
    ),
    "a file that a tool found": input(
      functionCall,
      output("function_call_output", [{ type: "input_file", filename: "a.txt", file_data: file }]),
    ),
    "what a tool that takes text found": input(customCall, output("custom_tool_call_output", whole)),
    "parts of what a tool that takes text found": input(
      customCall,
      output("custom_tool_call_output", [{ type: "input_text", text: whole }]),
    ),
    "what a tool says of itself": input({ type: "function_call_output", name: "f", output: whole }),
    "what a shell printed": input(printed),
    "what a shell printed, before a question": input(printed, { role: "user", content: "Well?" }),
    "what a shell printed, before what a tool found": input(functionCall, printed, output("function_call_output", "1")),
    "what a local shell printed": input(output("local_shell_call_output", whole, { id: "c1" })),
    "what came of a patch": input(output("apply_patch_call_output", whole, { status: "completed" })),
    "why a call is not approved": input({
      type: "mcp_approval_response",
      approval_request_id: "a",
      approve: false,
      reason: whole,
    }),
    "code that was run": input(vendors.responses.places["what code printed"]),
    "the last call": input({ ...functionCall, arguments: JSON.stringify({ q: whole }) }),
    "the last call of a tool that takes text": input({ ...customCall, input: whole }),
  },
};

const parts = (...list: object[]): Json => ({ model: "m", contents: [{ role: "user", parts: list }] });
const respond = (response: Json, more: Json = {}): Json => ({
  model: "m",
  contents: [
    { role: "user", parts: [{ text: "Hi." }] },
    { role: "model", parts: [{ functionCall: { name: "f", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { name: "f", response, ...more } }] },
  ],
});

const google: Asked = {
  format: vendors.google.format,
  places: {
    "the text": parts({ text: whole }),
    "a file of text": parts({ inlineData: { mimeType: "text/plain", data: btoa(whole) } }),
    "the name of a file": parts(
      { fileData: { mimeType: "application/pdf", fileUri: "gs://a", displayName: whole } },
      { text: "Hi." },
    ),
    "what a tool found": respond({ result: whole }),
    "an object that a tool found": respond({ found: [{ note: whole }] }),
    "a file that a tool found": respond(
      { result: "a" },
      { parts: [{ inlineData: { mimeType: "text/plain", data: btoa(whole) } }] },
    ),
    "what code printed": parts({ codeExecutionResult: { outcome: "OUTCOME_OK", output: whole } }),
    "the last call": {
      model: "m",
      contents: [
        { role: "user", parts: [{ text: "Hi." }] },
        { role: "model", parts: [{ functionCall: { name: "f", args: { q: whole } } }] },
      ],
    },
    "an answer that paused": {
      model: "m",
      contents: [
        { role: "user", parts: [{ text: "Hi." }] },
        { role: "model", parts: [{ executableCode: { language: "PYTHON", code: whole } }] },
      ],
    },
  },
};

const cohereFound = (content: unknown): Json =>
  chats(
    { role: "user", content: "Hi." },
    { role: "assistant", tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content },
  );

const cohere: Asked = {
  format: vendors.cohere.format,
  places: {
    "the text": chats({ role: "user", content: whole }),
    "a part": chats(user({ type: "text", text: whole })),
    "a document": { ...chats({ role: "user", content: "Hi." }), documents: [whole] },
    "a document with a title": {
      ...chats({ role: "user", content: "Hi." }),
      documents: [{ id: "d", data: { title: whole, text: "Hi." } }],
    },
    "a document of any form": {
      ...chats({ role: "user", content: "Hi." }),
      documents: [{ id: "d", data: { snippet: whole, lines: [whole] } }],
    },
    "what a tool found": cohereFound(whole),
    "documents that a tool found": cohereFound([{ type: "document", document: { id: "d", data: { found: whole } } }]),
    "the last call": chats(
      { role: "user", content: "Hi." },
      {
        role: "assistant",
        tool_calls: [{ ...call, function: { name: "f", arguments: JSON.stringify({ q: whole }) } }],
      },
    ),
  },
};

const says = (...content: object[]): Json => ({ model: "m", messages: [user(...content)] });
const converseFound = (...content: object[]): Json => ({
  model: "m",
  messages: [
    user({ text: "Hi." }),
    { role: "assistant", content: [{ toolUse: { toolUseId: "t1", name: "f", input: {} } }] },
    user({ toolResult: { toolUseId: "t1", content } }),
  ],
});
const document = (source: Json, more: Json = {}) => ({ document: { name: "a", format: "txt", source, ...more } });
const passage = { source: "https://a.example", title: "a", content: [{ text: "Hi." }], citations: { enabled: true } };

const converse: Asked = {
  format: vendors.converse.format,
  places: {
    "the text": says({ text: whole }),
    "a text that is guarded": says({ guardContent: { text: { text: whole, qualifiers: ["query"] } } }),
    "a document": says({ text: "Hi." }, document({ text: whole })),
    "a document in base64": says({ text: "Hi." }, document({ bytes: btoa(whole) })),
    "a document of blocks": says({ text: "Hi." }, document({ content: [{ text: whole }] })),
    "what a document is called": says({ text: "Hi." }, document({ text: "a" }, { name: whole })),
    "what is said of a document": says({ text: "Hi." }, document({ text: "a" }, { context: whole })),
    "a passage": says({ searchResult: { ...passage, content: [{ text: whole }] } }),
    "what a passage is called": says({ searchResult: { ...passage, title: whole } }),
    "what a tool found": converseFound({ text: whole }),
    "an object that a tool found": converseFound({ json: { found: [whole] } }),
    "a document that a tool found": converseFound(document({ text: whole })),
    "a passage that a tool found": converseFound({ searchResult: { ...passage, content: [{ text: whole }] } }),
    "the last call": {
      model: "m",
      messages: [
        user({ text: "Hi." }),
        { role: "assistant", content: [{ toolUse: { toolUseId: "t1", name: "f", input: { q: whole } } }] },
      ],
    },
  },
};

/** What requests may hold a secret in, by the format they are in. */
export const requests = { anthropic, chat, cohere, converse, google, responses } as const;
