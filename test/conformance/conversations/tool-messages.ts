import {
  blocks,
  imageIn,
  list,
  parsed,
  places,
  type Speaker,
  schema,
  type Told,
  text,
  tools,
  type Wire,
  wire,
} from "./speaker.ts";

/** What OpenAI's and Cohere's chats have in common: functions, calls in the model's message, and a message for each result. */
export const toolMessages: Pick<Speaker, "ask" | "question" | "results"> = {
  ask: (history, stream) => ({
    model: "m",
    messages: [{ role: "system", content: "Be brief." }, ...history],
    tools: tools.map((name) => ({ type: "function", function: { name, description: name, parameters: schema } })),
    ...(stream && { stream }),
  }),
  question: (said) => ({ role: "user", content: said }),
  results: (results, besides) => [
    ...results.map(({ id, said }) => ({ role: "tool", tool_call_id: id, content: said })),
    ...(besides ? [{ role: "user", content: besides.text }] : []),
  ],
};

/** The calls in a message of the model. */
export const callsIn = (message: Wire) =>
  list(message.tool_calls).map(({ id, function: called }) => ({ id: text(id), name: text(wire(called).name) }));

/** What is said in a request, turn by turn. */
export function toldIn(request: Wire): Told[] {
  let at = places([]);
  return list(request.messages).flatMap(({ role, content, refusal, tool_calls: calls, tool_call_id: id }): Told[] => {
    const said = blocks(content)
      .map((one) => text(one.text ?? one.refusal))
      .join("");
    if (role === "system") return [];
    const images = blocks(content).filter(({ type }) => type === "image_url");
    if (role === "user")
      return [["user", said], ...images.map((one): Told => ["shown", imageIn(wire(one.image_url).url)])];
    if (role === "tool") return [["result", at(id), said]];
    at = places(list(calls).map((call) => call.id));
    const called = list(calls).map((call): Told => {
      const { name, arguments: args } = wire(call.function);
      return ["call", text(name), parsed(args)];
    });
    return [["model", said + text(refusal)], ...called];
  });
}
