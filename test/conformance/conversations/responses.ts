import { openAiResponses } from "../../../plugins/format-openai-responses/index.ts";
import { frames } from "./responses-stream.ts";
import { imageUrl, inUrl, kindOf, mediaTypeOf, toBase64 } from "./shown.ts";
import {
  type Asked,
  argsText,
  blocks,
  type Call,
  eventsIn,
  freeText,
  isObject,
  list,
  type Memory,
  must,
  type Piece,
  type Plan,
  parsed,
  places,
  type Speaker,
  schema,
  type Told,
  text,
  textTool,
  tools,
  type Wire,
  wire,
} from "./speaker.ts";

const message = (part: Wire, memory: Memory): Wire => ({
  type: "message",
  id: memory.id("msg_"),
  status: "completed",
  role: "assistant",
  content: [part],
});

function item(piece: Piece, memory: Memory, asked: Wire): Wire {
  switch (piece.kind) {
    case "thought": {
      const summary = [{ type: "summary_text", text: piece.text }];
      const id = memory.id("rs_");
      if (piece.isCut) return { type: "reasoning", id, status: "incomplete", summary };
      return { type: "reasoning", id, summary, encrypted_content: memory.prove("openai", "thought", summary) };
    }
    case "hidden":
      return {
        type: "reasoning",
        id: memory.id("rs_"),
        summary: [],
        encrypted_content: memory.prove("openai", "hidden", []),
      };
    case "text":
      return message({ type: "output_text", text: piece.text, annotations: [], logprobs: [] }, memory);
    case "cited": {
      const source = { type: "url_citation", start_index: 0, end_index: piece.text.length };
      const annotations = [{ ...source, url: "https://a.example/", title: "A" }];
      return message({ type: "output_text", text: piece.text, annotations, logprobs: [] }, memory);
    }
    case "refusal":
      return message({ type: "refusal", refusal: piece.text }, memory);
    case "ran": {
      const outputs = [{ type: "logs", logs: piece.output }];
      const ran = { status: "completed", code: piece.code, container_id: memory.id("cntr_"), outputs };
      return { type: "code_interpreter_call", id: memory.id("ci_"), ...ran };
    }
    case "image":
      return { type: "image_generation_call", id: memory.id("ig_"), status: "completed", result: piece.data };
    case "call": {
      const input = freeText(piece, asked);
      const call = { call_id: memory.id("call_"), name: piece.name, status: "completed" };
      return input === undefined
        ? { type: "function_call", id: memory.id("fc_"), ...call, arguments: argsText(piece) }
        : { type: "custom_tool_call", id: memory.id("ctc_"), ...call, input };
    }
  }
}

function answer({ pieces, ending }: Plan, memory: Memory, asked: Wire): Wire {
  const output = pieces.map((piece) => item(piece, memory, asked));
  const last = output.at(-1);
  if (last?.type === "reasoning") memory.ends(last.encrypted_content);
  const cut = ending === "length" && !output.some(({ call_id: id }) => id !== undefined);
  return {
    id: memory.id("resp_"),
    object: "response",
    created_at: 1_786_000_000,
    status: cut ? "incomplete" : "completed",
    error: null,
    incomplete_details: cut ? { reason: "max_output_tokens" } : null,
    model: "gpt-5",
    output,
    usage: { input_tokens: 3, output_tokens: 5, total_tokens: 8 },
  };
}

const ofModel: ReadonlySet<unknown> = new Set([
  "message",
  "function_call",
  "custom_tool_call",
  "reasoning",
  "code_interpreter_call",
  "image_generation_call",
  "tool_search_call",
]);
const prefixes: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  custom_tool_call: "ctc",
  reasoning: "rs",
  code_interpreter_call: "ci",
  image_generation_call: "ig",
  tool_search_call: "tsc",
  function_call_output: "fco",
  custom_tool_call_output: "ctco",
  tool_search_output: "tso",
  additional_tools: "at",
};

/** Calls with the items that answer them; a search is one whose client looks. */
const outputs: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  tool_search_call: "tool_search_output",
};
const answering: ReadonlySet<unknown> = new Set(Object.values(outputs));

/** docs: guides/reasoning (items come back with what follows them), guides/function-calling, and the errors the API gives. */
function check(request: Wire, memory: Memory, { own }: Asked): void {
  const items = list(request.input);
  const open = new Map<unknown, unknown>();
  for (const [at, one] of items.entries()) {
    const { type = "message", id, call_id: callId } = one;
    // "Expected an ID that begins with 'msg'."
    if (id !== undefined)
      must(text(id).startsWith(prefixes[text(type)] ?? "?") && text(id).length <= 64, "an id as the API has them", one);
    if (outputs[text(type)]) {
      must(typeof callId === "string" && callId.length <= 64, "an id of a call", one);
      if (type === "custom_tool_call") must(typeof one.input === "string", "an input", one);
      else if (type === "function_call") must(own || isObject(one.arguments), "arguments that are an object", one);
      else must(one.execution === "client", "a search of the client's", one);
      must(!open.has(callId), "ids of open calls are unique", one);
      open.set(callId, type);
    } else if (answering.has(type)) {
      // "No tool call found for custom tool call output with call_id"
      must(outputs[text(open.get(callId))] === type, "an output is behind its call, and of its kind", one);
      open.delete(callId);
      if (type === "tool_search_output") must(Array.isArray(one.tools), "tools, be it none", one);
      else must(typeof one.output === "string" || list(one.output).length > 0, "there is an output", one);
    } else checkItem(one, items[at + 1], memory, own);
    // "No tool output found for function call"
    if (type === "message" && one.role === "user")
      must(open.size === 0, "calls have outputs", { at, open: [...open.keys()] });
  }
  must(open.size === 0, "calls have outputs", [...open.keys()]);
}

function checkItem(one: Wire, next: Wire | undefined, memory: Memory, own: boolean): void {
  switch (one.type ?? "message") {
    case "reasoning": {
      // Without what is encrypted the item has to be one the vendor keeps: "Item with id 'rs_…' not found."
      const { encrypted_content: encrypted, summary } = one;
      must(Array.isArray(summary), "a summary", one);
      if (own && one.status === "incomplete") return;
      must(memory.isProof("openai", encrypted, summary), "what is encrypted is the vendor's own", one);
      must(one.id === undefined || memory.isIssued(one.id), "an id of its own", one);
      if (!memory.isLast(encrypted))
        must(ofModel.has(next?.type) && next?.role !== "user", "the item that follows", { one, next });
      return;
    }
    case "code_interpreter_call":
      must(memory.isIssued(one.container_id), "a container of its own", one);
      return;
    case "image_generation_call":
      return;
    default: {
      const own = one.role === "assistant" ? /^(?:output_text|refusal)$/ : /^input_/;
      must(["user", "assistant", "system", "developer"].includes(text(one.role)), "an item the API knows", one);
      for (const part of typeof one.content === "string" ? [] : list(one.content))
        must(own.test(text(part.type)), "parts for their role", one);
    }
  }
}

const searchName = "tool_search";

/** What a search found. */
const namesIn = (found: unknown): string =>
  list(found)
    .flatMap((tool) => [tool, ...list(tool.tools)])
    .map(({ name }) => name)
    .join(" ");

function told(request: Wire): Told[] {
  let ids: unknown[] = [];
  let isOver = false;
  return list(request.input).flatMap((one): Told[] => {
    const { type = "message", role, content, call_id: id } = one;
    if (answering.has(type)) {
      isOver = true;
      return [
        [
          "result",
          places(ids)(id),
          blocks(one.output ?? namesIn(one.tools))
            .map((part) => text(part.text))
            .join(""),
        ],
        ...list(one.output).flatMap((part): Told[] =>
          part.type === "input_image" ? [["shown", inUrl(text(part.image_url))]] : [],
        ),
      ];
    }
    if (isOver) ids = [];
    isOver = false;
    if (outputs[text(type)]) {
      ids.push(id);
      const { name = searchName, input, arguments: args } = one;
      return [
        ["call", text(name), type === "custom_tool_call" ? { input } : typeof args === "string" ? parsed(args) : args],
      ];
    }
    if (type !== "message" || role === "system" || role === "developer") return [];
    if (role === "user") ids = [];
    const said = blocks(content).map((part) => text(part.text ?? part.refusal));
    return [[role === "user" ? "user" : "model", said.join("")], ...blocks(content).flatMap(shownIn)];
  });
}

function part(shown: string): Wire {
  const kind = kindOf(shown);
  if (kind === "audio") return { type: "input_audio", input_audio: { data: shown, format: "wav" } };
  if (kind === "image" || kind === "address") return { type: "input_image", image_url: imageUrl(shown) };
  const data = kind === "document" ? toBase64(shown) : shown;
  const filename = kind === "document" ? "a.txt" : "a.pdf";
  return { type: "input_file", filename, file_data: `data:${mediaTypeOf(shown)};base64,${data}` };
}

function shownIn({ type, image_url: image, file_data: data, input_audio: audio }: Wire): readonly Told[] {
  if (type === "input_image") return [["shown", inUrl(text(image))]];
  if (type === "input_audio") return [["shown", text(wire(audio).data)]];
  return type === "input_file" ? [["shown", inUrl(text(data))]] : [];
}

export const responses: Speaker = {
  format: openAiResponses,
  model: "gpt-5",
  signer: "openai",
  showsResults: true,
  answer,
  frames,
  check,
  told,
  ask: (input, stream) => ({
    model: "m",
    instructions: "Be brief.",
    input,
    store: false,
    include: ["reasoning.encrypted_content"],
    tools: tools.map((name) =>
      name === textTool
        ? { type: "custom", name, description: name }
        : { type: "function", name, description: name, parameters: schema, strict: false },
    ),
    ...(stream && { stream }),
  }),
  shows: ["image", "address", "pdf", "document", "audio"],
  question: (said, shown = []) => ({
    role: "user",
    content: [...shown.map(part), { type: "input_text", text: said }],
  }),
  instruct: (said) => ({ role: "developer", content: [{ type: "input_text", text: said }] }),
  wish: ({ thinking, forces, temperature }) => ({
    ...(thinking === "unsaid" && { reasoning: { summary: "auto" } }),
    ...(typeof thinking === "string" && thinking !== "unsaid" && { reasoning: { effort: thinking, summary: "auto" } }),
    ...(forces && { tool_choice: "required" }),
    ...(temperature !== undefined && { temperature }),
  }),
  readsThoughts: ({ reasoning }) => wire(reasoning).summary !== undefined,
  gather: (bytes) => wire(eventsIn(bytes).at(-1)?.response),
  keep: ({ output }) => list(output),
  calls: ({ output }) =>
    list(output).flatMap(({ type, call_id: id, name }): readonly Call[] => {
      if (type === "custom_tool_call") return [{ id: text(id), name: text(name), custom: true }];
      if (type === "tool_search_call") return [{ id: text(id), name: searchName }];
      return type === "function_call" ? [{ id: text(id), name: text(name) }] : [];
    }),
  results: (results, besides) => [
    ...results.map(({ id, said, image, custom }) => {
      const shown = { type: "input_image", image_url: `data:image/png;base64,${image}` };
      const both = said === "" ? [shown] : [{ type: "input_text", text: said }, shown];
      const type = custom ? "custom_tool_call_output" : "function_call_output";
      return { type, call_id: id, output: image === undefined ? said : both };
    }),
    ...(besides ? [{ role: "user", content: [{ type: "input_text", text: besides.text }] }] : []),
  ],
};
