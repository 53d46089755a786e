import type { WireEvent } from "../../../../core/index.ts";
import { openAiResponses } from "../../../format-openai-responses/format.ts";
import { event, type Json, pieces, tokens, type Vendor, whole } from "../testing.ts";

const item = (content: Json) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [content],
});
const said = (more: Json) => item({ type: "output_text", text: "Hi.", annotations: [], logprobs: [], ...more });

export const responses: Vendor<Json> = {
  format: openAiResponses,
  answer: (output) => ({ ...response, output: [output] }),
  stream: (output) => [
    event({ type: "response.created", response: { ...response, status: "in_progress", output: [] } }),
    event({
      type: "response.output_item.added",
      output_index: 0,
      item: { ...output, ...(Array.isArray(output.content) && { content: [] }) },
    }),
    ...textEvents(output),
    event({ type: "response.output_item.done", output_index: 0, item: output }),
    event({ type: "response.completed", response: { ...response, output: [output] } }),
  ],
  places: {
    "the text": said({ text: whole }),
    "the refusal": item({ type: "refusal", refusal: whole }),
    "tokens of the text": said({ text: whole, logprobs: tokens.content }),
    "what a page is called that is cited": said({
      annotations: [{ type: "url_citation", url: "https://a.example", title: whole, start_index: 0, end_index: 2 }],
    }),
    "what a file is called that is cited": said({
      annotations: [{ type: "file_citation", file_id: "file_1", filename: whole, index: 0 }],
    }),
    "code that was run": {
      type: "code_interpreter_call",
      id: "ci_1",
      status: "completed",
      container_id: "cntr_1",
      code: whole,
      outputs: null,
    },
    "what code printed": {
      type: "code_interpreter_call",
      id: "ci_1",
      status: "completed",
      container_id: "cntr_1",
      code: "1",
      outputs: [{ type: "logs", logs: whole }],
    },
    "a tool of a server": {
      type: "mcp_call",
      id: "mcp_1",
      name: "f",
      server_label: "s",
      arguments: JSON.stringify({ q: whole }),
      output: null,
      error: null,
    },
    "what a tool of a server found": {
      type: "mcp_call",
      id: "mcp_1",
      name: "f",
      server_label: "s",
      arguments: "{}",
      output: whole,
      error: null,
    },
    "why a tool of a server failed": {
      type: "mcp_call",
      id: "mcp_1",
      name: "f",
      server_label: "s",
      arguments: "{}",
      output: null,
      error: whole,
    },
    "what tools of a server are for": {
      type: "mcp_list_tools",
      id: "mcpl_1",
      server_label: "s",
      tools: [{ name: "f", description: whole, input_schema: {} }],
    },
    "a call that is to be approved": {
      type: "mcp_approval_request",
      id: "mcpr_1",
      name: "f",
      server_label: "s",
      arguments: JSON.stringify({ q: whole }),
    },
    "a search": {
      type: "web_search_call",
      id: "ws_1",
      status: "completed",
      action: { type: "search", query: whole, queries: [whole] },
    },
    "passages that were found": {
      type: "file_search_call",
      id: "fs_1",
      status: "completed",
      queries: [whole],
      results: [{ file_id: "file_1", filename: whole, score: 1, text: whole, attributes: { owner: whole } }],
    },
    "a command of a shell": {
      type: "shell_call",
      id: "sh_1",
      call_id: "call_1",
      status: "completed",
      action: { commands: [whole], timeout_ms: null, max_output_length: null },
    },
    "what a shell printed": {
      type: "shell_call_output",
      id: "sho_1",
      call_id: "call_1",
      status: "completed",
      output: [{ stdout: whole, stderr: whole, outcome: { type: "exit", exit_code: 0 } }],
    },
    "a command of a local shell": {
      type: "local_shell_call",
      id: "ls_1",
      call_id: "call_1",
      status: "completed",
      action: { type: "exec", command: ["bash", "-lc", whole], env: {} },
    },
    "a patch": {
      type: "apply_patch_call",
      id: "ap_1",
      call_id: "call_1",
      status: "completed",
      operation: { type: "update_file", path: "a.txt", diff: whole },
    },
    "what is typed into a computer": {
      type: "computer_call",
      id: "cu_1",
      call_id: "call_1",
      status: "completed",
      action: { type: "type", text: whole },
      pending_safety_checks: [{ id: "s", code: "c", message: whole }],
    },
    "what an image was to be": {
      type: "image_generation_call",
      id: "ig_1",
      status: "completed",
      revised_prompt: whole,
      output_format: "png",
      result: "iVBORw0KGgo=",
    },
    "pages that were found": {
      type: "search_results",
      results: [{ id: 1, title: whole, snippet: whole, url: "https://a.example" }],
    },
    "the arguments of the only call": {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "f",
      status: "completed",
      arguments: JSON.stringify({ q: whole }),
    },
    "the input of the only call of a tool that takes text": {
      type: "custom_tool_call",
      id: "ctc_1",
      call_id: "call_1",
      name: "f",
      status: "completed",
      input: whole,
    },
  },
};
const response = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "m",
  error: null,
  incomplete_details: null,
  usage: null,
};

function textEvents(output: Json): WireEvent[] {
  const place = { item_id: output.id, output_index: 0, content_index: 0 };
  if (output.type === "code_interpreter_call")
    return [
      ...pieces(output.code).map((delta) =>
        event({ type: "response.code_interpreter_call_code.delta", item_id: output.id, output_index: 0, delta }),
      ),
      event({
        type: "response.code_interpreter_call_code.done",
        item_id: output.id,
        output_index: 0,
        code: output.code,
      }),
    ];
  const [part] = Array.isArray(output.content) ? (output.content as Json[]) : [];
  if (!part) return [];
  const kind = part.type === "refusal" ? "refusal" : "output_text";
  const { text = part.refusal, logprobs } = part;
  return [
    event({ type: "response.content_part.added", ...place, part: { ...part, text: "" } }),
    ...pieces(text).map((delta) => event({ type: `response.${kind}.delta`, ...place, delta })),
    event({ type: `response.${kind}.done`, ...place, text, refusal: text, logprobs }),
    event({ type: "response.content_part.done", ...place, part }),
  ];
}
