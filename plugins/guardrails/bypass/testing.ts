/** Ways round a guardrail that denies the word "falcon", and whether it is met all the same. docs/guardrails.md lists them. */
export interface Way {
  /** As the page names it. */
  readonly way: string;
  readonly covered: boolean;
  readonly path?: string;
  readonly body: object;
}

export const word = "falcon";
export const says = (...choices: readonly object[]) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: choices.map((message, index) => ({
    index,
    message: { role: "assistant", ...message },
    finish_reason: "stop",
  })),
});
const streams = (...deltas: readonly (readonly [choice: number, delta: object])[]) =>
  [...deltas, [0, {}] as const]
    .map(([index, delta], at) => {
      const choice = { index, delta, finish_reason: at === deltas.length ? "stop" : null };
      return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice] })}\n\n`;
    })
    .concat("data: [DONE]\n\n")
    .join("");
const tool = (argumentsOf: string) => ({
  tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "f", arguments: argumentsOf } }],
});

/** Answers of the Responses API. */
const items = (...output: object[]) => ({ id: "r", object: "response", model: "m", status: "completed", output });
export const asEvents = (answer: { readonly output: readonly object[] }) =>
  [
    { type: "response.created", response: { ...answer, status: "in_progress", output: [] } },
    ...answer.output.map((item, at) => ({ type: "response.output_item.done", output_index: at, item })),
    { type: "response.completed", response: answer },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
export const ran = items(
  { type: "code_interpreter_call", id: "ci", status: "completed", code: "1", outputs: [{ type: "logs", logs: word }] },
  said("hi"),
);
const found = items(
  { type: "mcp_call", id: "m", name: "f", server_label: "s", arguments: "{}", output: word },
  said("hi"),
);

/** Answers with the word, and whether a guardrail meets it. A text is a stream. */
export const output: readonly (Omit<Way, "body"> & { readonly answer: object | string })[] = [
  ...[ran, asEvents(ran)].map((answer) => ({
    way: "code that the vendor ran, and what came of it",
    covered: true,
    path: "/v1/responses",
    answer,
  })),
  ...[found, asEvents(found)].map((answer) => ({
    way: "what tools of the vendor found",
    covered: true,
    path: "/v1/responses",
    answer,
  })),
  {
    way: "what an answer is taken from",
    covered: true,
    answer: says({
      content: "hi",
      annotations: [{ type: "url_citation", url_citation: { url: "https://a.example", title: word } }],
    }),
  },
  {
    way: "the address of what it is taken from",
    covered: false,
    answer: says({
      content: "hi",
      annotations: [{ type: "url_citation", url_citation: { url: `https://${word}.example`, title: "a" } }],
    }),
  },
  {
    way: "the transcript of a sound",
    covered: true,
    answer: says({ content: null, audio: { id: "a", transcript: word, data: "AAAA" } }),
  },
  {
    way: "the transcript of a sound",
    covered: true,
    answer: streams(
      [0, { audio: { id: "a", transcript: "fal" } }],
      [0, { audio: { data: "AAAA" } }],
      [0, { audio: { transcript: "con" } }],
    ),
  },
  {
    way: "sounds and images",
    covered: false,
    answer: says({ content: null, audio: { id: "a", transcript: "hi", data: btoa(word) } }),
  },
  { way: "the word itself", covered: true, answer: says({ content: word }) },
  { way: "any of `n` choices", covered: true, answer: says({ content: "hi" }, { content: word }) },
  { way: "a refusal", covered: true, answer: says({ content: null, refusal: word }) },
  {
    way: "tool calls where nothing is said besides",
    covered: true,
    answer: says({ content: null, ...tool(`{"q":"${word}"}`) }),
  },
  {
    way: "tool calls where nothing is said besides",
    covered: true,
    answer: says({ content: "\n\n", ...tool(`{"q":"${word}"}`) }),
  },
  { way: "tool calls beside a text", covered: false, answer: says({ content: "hi", ...tool(`{"q":"${word}"}`) }) },
  { way: "thinking", covered: false, answer: says({ content: "hi", reasoning_content: word }) },
  { way: "base64 and other encodings", covered: false, answer: says({ content: btoa(word) }) },
  { way: "a field whose name is not one of a text", covered: false, answer: says({ content: "hi", notes: word }) },
  { way: "the word itself", covered: true, answer: streams([0, { content: word }]) },
  {
    way: "pieces of a stream",
    covered: true,
    answer: streams([0, { content: "so fal" }], [0, { content: "c" }], [0, { content: "on" }]),
  },
  {
    way: "any of `n` choices",
    covered: true,
    answer: streams([0, { content: "fine" }], [1, { content: "fal" }], [0, { content: "." }], [1, { content: "con" }]),
  },
  {
    way: "tool calls where nothing is said besides",
    covered: true,
    answer: streams([0, tool('{"q":"fal')], [0, { tool_calls: [{ index: 0, function: { arguments: 'con"}' } }] }]),
  },
  {
    way: "tool calls where nothing is said besides",
    covered: true,
    answer: streams([0, { content: "\n\n" }], [0, tool(`{"q":"${word}"}`)]),
  },
  {
    way: "tool calls beside a text",
    covered: false,
    answer: streams([0, { content: "hi" }], [0, tool(`{"q":"${word}"}`)]),
  },
  { way: "thinking", covered: false, answer: streams([0, { reasoning_content: word }], [0, { content: "hi" }]) },
  {
    way: "a word across the choices",
    covered: false,
    answer: streams([0, { content: "fal" }], [1, { content: "con" }]),
  },
];
