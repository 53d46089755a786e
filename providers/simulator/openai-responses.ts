import { allowedIn } from "./allowed-tools.ts";
import { type Answer, answerTo, type PromptTokens, promptTokens, totalOf } from "./answer.ts";
import { type Dialect, type Frame, type Reply, sse } from "./dialect.ts";
import { openAiErrors } from "./openai-errors.ts";
import { type Question, readMessages, segmentsOf, toolSegment } from "./question.ts";
import { isRecord, numberIn, Refusal, recordsIn, textIn, type Wire } from "./wire.ts";
import { created, piecesOf } from "./words.ts";

const failure = { code: "server_error", message: "Simulated failure inside the stream.", param: null };

export const openAiResponses: Dialect = {
  format: "openai-responses",
  reply,
  errorBody: openAiErrors.errorBody,
  errorFrame: (before) =>
    sse({ type: "error", sequence_number: before, ...failure, error: { type: "server_error", ...failure } }, "error"),
  malformedFrame: sse('{"type":"response.output_text.delta",', "response.output_text.delta"),
};

export const inputTokens: Dialect = {
  ...openAiResponses,
  format: "openai-input-tokens",
  reply: (wire) => ({ whole: { object: "response.input_tokens", input_tokens: totalOf(read(wire).segments) } }),
};

function reply(wire: Wire, digest: string): Reply {
  const question = read(wire);
  const answer = answerTo(question);
  const head = {
    id: `resp_${digest.slice(0, 24)}`,
    object: "response",
    created_at: created,
    model: question.model,
    ...echoOf(wire),
  };
  const output = outputOf(answer, digest);
  const usage = usageOf(promptTokens(question.segments), answer);
  if (wire.stream === true) return { frames: framesOf(head, output, usage, answer) };
  return { whole: { ...head, ...endOf(answer), output, usage } };
}

/** What answers repeat of their request. */
const echoOf = (wire: Wire): Wire => ({
  error: null,
  instructions: wire.instructions ?? null,
  max_output_tokens: wire.max_output_tokens ?? null,
  metadata: wire.metadata ?? {},
  parallel_tool_calls: wire.parallel_tool_calls ?? true,
  previous_response_id: wire.previous_response_id ?? null,
  reasoning: { effort: null, summary: null, ...(isRecord(wire.reasoning) && wire.reasoning) },
  store: wire.store ?? true,
  temperature: wire.temperature ?? 1,
  text: { format: { type: "text" }, ...(isRecord(wire.text) && wire.text) },
  tool_choice: wire.tool_choice ?? "auto",
  tools: wire.tools ?? [],
  top_p: wire.top_p ?? 1,
  truncation: wire.truncation ?? "disabled",
});

function read(wire: Wire): Question {
  const input = typeof wire.input === "string" ? [{ role: "user", content: wire.input }] : recordsIn(wire.input);
  if (input.length === 0) throw new Refusal(400, "input: a string or a list of at least one item is required.");
  const tools = recordsIn(wire.tools).filter(({ type }) => type === "function");
  const { segments, ...asked } = readMessages(input.map(asMessage));
  const effort = isRecord(wire.reasoning) ? wire.reasoning.effort : undefined;
  return {
    ...asked,
    model: textIn(wire.model),
    segments: [
      ...tools.map((tool) => toolSegment(tool, tool.cache_control)),
      ...segmentsOf(textIn(wire.instructions)),
      ...segments,
    ],
    tools: tools.map(({ name, parameters }) => ({ name: textIn(name), schema: parameters ?? { type: "object" } })),
    toolChoice: toolChoiceOf(wire.tool_choice),
    ...allowedIn(wire.tool_choice),
    parallel: wire.parallel_tool_calls !== false,
    thinks: typeof effort === "string" && effort !== "none",
    schema: schemaOf(wire.text),
    stop: [],
    maxTokens: numberIn(wire.max_output_tokens),
  };
}

/** Items in the roles other formats have: results of tools are of a tool, everything without a role is the model's. */
function asMessage(item: Wire): Wire {
  if (item.type === "function_call_output") return { role: "tool", content: item.output };
  return typeof item.role === "string" ? item : { role: "assistant", content: [] };
}

function toolChoiceOf(choice: unknown): Question["toolChoice"] {
  if (choice === "none" || choice === "required") return choice;
  const name = isRecord(choice) && choice.type === "function" ? textIn(choice.name) : "";
  return name === "" ? "auto" : { name };
}

function schemaOf(text: unknown): unknown {
  const format = isRecord(text) && isRecord(text.format) ? text.format : {};
  if (format.type === "json_object")
    return { type: "object", required: ["answer"], properties: { answer: { type: "string" } } };
  return format.type === "json_schema" ? format.schema : undefined;
}

/** An answer cut short is not whole, and neither is its last item. */
const endOf = ({ finish }: Answer): Wire =>
  finish === "length"
    ? { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }
    : { status: "completed", incomplete_details: null };

function outputOf(answer: Answer, digest: string): Wire[] {
  const id = (prefix: string, at = 0) => `${prefix}_${digest.slice(0, 22)}${at}`;
  const { thinking, signature, text, calls, finish } = answer;
  const status = finish === "length" ? "incomplete" : "completed";
  return [
    ...(thinking === ""
      ? []
      : [
          {
            id: id("rs"),
            type: "reasoning",
            summary: [{ type: "summary_text", text: thinking }],
            encrypted_content: signature,
          },
        ]),
    ...(text === ""
      ? []
      : [
          {
            id: id("msg"),
            type: "message",
            status,
            role: "assistant",
            content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
          },
        ]),
    ...calls.map(({ name, arguments: input }, at) => ({
      id: id("fc", at),
      type: "function_call",
      status: "completed",
      call_id: `call_${digest.slice(0, 16)}_${at}`,
      name,
      arguments: JSON.stringify(input),
    })),
  ];
}

function usageOf({ fresh, cacheRead, cacheWrite }: PromptTokens, { outputTokens, thinkingTokens }: Answer): Wire {
  const input = fresh + cacheRead + cacheWrite;
  const output = outputTokens + thinkingTokens;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thinkingTokens },
    total_tokens: input + output,
  };
}

/** The event that says how the answer ended is the last one: nothing follows that could be missing. */
function framesOf(head: Wire, output: readonly Wire[], usage: Wire, answer: Answer): Frame[] {
  const begun = { ...head, status: "in_progress", incomplete_details: null, output: [], usage: null };
  const ended: Wire = { ...head, ...endOf(answer), output, usage };
  const events: Wire[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...output.flatMap(eventsOf),
    { type: `response.${textIn(ended.status)}`, response: ended },
  ];
  return events.map(({ type, ...event }, at) => ({
    text: sse({ type, sequence_number: at, ...event }, textIn(type)),
    ...(at === events.length - 1 && { part: "finish" as const }),
  }));
}

function eventsOf(item: Wire, index: number): Wire[] {
  const at = { item_id: item.id, output_index: index };
  const [content] = recordsIn(item.content);
  const [summary] = recordsIn(item.summary);
  const about = (name: string, more: Wire): Wire => ({ type: `response.${name}`, ...at, ...more });
  const whole = (step: string, shown: Wire): Wire => ({
    type: `response.output_item.${step}`,
    output_index: index,
    item: shown,
  });
  const text = (name: string, place: Wire, part: string, said: Wire): Wire[] => [
    about(`${part}.added`, { ...place, part: { ...said, text: "" } }),
    ...piecesOf(textIn(said.text)).map((delta) => about(`${name}.delta`, { ...place, delta })),
    about(`${name}.done`, { ...place, text: said.text }),
    about(`${part}.done`, { ...place, part: said }),
  ];
  if (content)
    return [
      whole("added", { ...item, status: "in_progress", content: [] }),
      ...text("output_text", { content_index: 0, logprobs: [] }, "content_part", content),
      whole("done", item),
    ];
  if (summary)
    return [
      whole("added", { ...item, summary: [] }),
      ...text("reasoning_summary_text", { summary_index: 0 }, "reasoning_summary_part", summary),
      whole("done", item),
    ];
  const json = textIn(item.arguments);
  return [
    whole("added", { ...item, status: "in_progress", arguments: "" }),
    ...piecesOf(json).map((delta) => about("function_call_arguments.delta", { delta })),
    about("function_call_arguments.done", { arguments: json }),
    whole("done", item),
  ];
}
