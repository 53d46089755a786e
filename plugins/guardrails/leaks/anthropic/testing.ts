import type { WireEvent } from "../../../../core/index.ts";
import { anthropicMessages } from "../../../format-anthropic-messages/format.ts";
import { event, type Json, pieces, secret, type Vendor, whole } from "../testing.ts";

const served = (name: string, input: Json) => ({ type: "server_tool_use", id: "srvtoolu_1", name, input });
const found = (type: string, content: unknown) => ({ type, tool_use_id: "srvtoolu_1", content });
const cited = (more: Json) => ({ type: "text", text: "Hi.", citations: [more] });

export const anthropic: Vendor<Json> = {
  format: anthropicMessages,
  answer: (block) => ({ ...message, content: [block] }),
  stream: (block) => [
    event({ type: "message_start", message: { ...message, content: [], stop_reason: null } }),
    ...blockEvents(block),
    event({ type: "content_block_stop", index: 0 }),
    event({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 1 },
    }),
    event({ type: "message_stop" }),
  ],
  places: {
    "the text": { type: "text", text: whole },
    "what is cited of a document": cited({
      type: "char_location",
      cited_text: whole,
      document_index: 0,
      document_title: whole,
      start_char_index: 0,
      end_char_index: 1,
    }),
    "what is cited of a page": cited({
      type: "web_search_result_location",
      url: "https://a.example",
      title: whole,
      cited_text: whole,
      encrypted_index: "E",
    }),
    "code that was run": served("code_execution", { code: whole }),
    "a command that was run": served("bash_code_execution", { command: whole }),
    "a search": served("web_search", { query: whole }),
    "a file that was written": served("text_editor_code_execution", {
      command: "create",
      path: "a.txt",
      file_text: whole,
    }),
    "what code printed": found("code_execution_tool_result", {
      type: "code_execution_result",
      stdout: whole,
      stderr: whole,
      return_code: 0,
      content: [],
    }),
    "what a command printed": found("bash_code_execution_tool_result", {
      type: "bash_code_execution_result",
      stdout: whole,
      stderr: "",
      return_code: 1,
      content: [],
    }),
    "a file that was shown": found("text_editor_code_execution_tool_result", {
      type: "text_editor_code_execution_view_result",
      file_type: "text",
      content: whole,
      numLines: 1,
      startLine: 1,
      totalLines: 1,
    }),
    "lines that were changed": found("text_editor_code_execution_tool_result", {
      type: "text_editor_code_execution_str_replace_result",
      lines: ["-a", `+${whole}`],
      newLines: 1,
      newStart: 1,
      oldLines: 1,
      oldStart: 1,
    }),
    "a page that was read": found("web_fetch_tool_result", {
      type: "web_fetch_result",
      url: "https://a.example",
      retrieved_at: null,
      content: {
        type: "document",
        title: whole,
        citations: null,
        source: { type: "text", media_type: "text/plain", data: whole },
      },
    }),
    "pages that were found": found("web_search_tool_result", [
      { type: "web_search_result", title: whole, url: "https://a.example", encrypted_content: "E", page_age: null },
    ]),
    "a tool of a server": { type: "mcp_tool_use", id: "mcptoolu_1", name: "f", server_name: "s", input: { q: whole } },
    "what a tool of a server found": {
      type: "mcp_tool_result",
      tool_use_id: "mcptoolu_1",
      is_error: false,
      content: [{ type: "text", text: whole }],
    },
    "what a conversation came to": { type: "compaction", content: whole },
    "the arguments of the only call": { type: "tool_use", id: "t", name: "f", input: { q: whole } },
  },
};
const message = {
  id: "m",
  type: "message",
  role: "assistant",
  model: "m",
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

function blockEvents(block: Json): WireEvent[] {
  const start = (content_block: Json) => event({ type: "content_block_start", index: 0, content_block });
  const delta = (one: Json) => event({ type: "content_block_delta", index: 0, delta: one });
  if (block.type === "text")
    return [
      start({ type: "text", text: "", ...(block.citations !== undefined && { citations: [] }) }),
      ...(Array.isArray(block.citations) ? block.citations : []).map((citation: Json) =>
        delta({ type: "citations_delta", citation }),
      ),
      ...pieces(block.text).map((text) => delta({ type: "text_delta", text })),
    ];
  if (block.input === undefined) return [start(block)];
  const json = JSON.stringify(block.input);
  const middle = json.indexOf(secret) + 3;
  return [
    start({ ...block, input: {} }),
    ...[json.slice(0, middle), json.slice(middle)].map((partial_json) =>
      delta({ type: "input_json_delta", partial_json }),
    ),
  ];
}
