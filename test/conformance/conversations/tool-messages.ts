import { documentIn, imageUrl, inUrl, kindOf } from "./shown.ts";
import {
  blocks,
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
export const toolMessages: Pick<Speaker, "ask" | "question" | "results" | "instruct"> = {
  ask: (history, stream) => ({
    model: "m",
    messages: [{ role: "system", content: "Be brief." }, ...history],
    tools: tools.map((name) => ({ type: "function", function: { name, description: name, parameters: schema } })),
    ...(stream && { stream }),
  }),
  question: (said, shown = []) => ({
    role: "user",
    content: shown.length === 0 ? said : [...shown.map(part), { type: "text", text: said }],
  }),
  instruct: (said) => ({ role: "system", content: said }),
  results: (results, besides) => [
    ...results.map(({ id, said }) => ({ role: "tool", tool_call_id: id, content: said })),
    ...(besides ? [{ role: "user", content: besides.text }] : []),
  ],
};

function part(shown: string): Wire {
  switch (kindOf(shown)) {
    case "audio":
      return { type: "input_audio", input_audio: { data: shown, format: "wav" } };
    case "pdf":
      return { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${shown}` } };
    default:
      return { type: "image_url", image_url: { url: imageUrl(shown) } };
  }
}

function shownIn({ type, image_url: image, input_audio: audio, file, text: said }: Wire): readonly Told[] {
  if (type === "image_url") return [["shown", inUrl(text(wire(image).url))]];
  if (type === "input_audio") return [["shown", text(wire(audio).data)]];
  if (type === "file") return [["shown", inUrl(text(wire(file).file_data))]];
  const document = documentIn(text(said));
  return document === undefined ? [] : [["shown", document]];
}

/** The calls in a message of the model. */
export const callsIn = (message: Wire) =>
  list(message.tool_calls).map(({ id, function: called, custom }) => ({
    id: text(id),
    name: text(wire(called ?? custom).name),
  }));

/** What is said in a request, turn by turn. */
export function toldIn(request: Wire): Told[] {
  let at = places([]);
  return list(request.messages).flatMap(({ role, content, refusal, tool_calls: calls, tool_call_id: id }): Told[] => {
    const texts = blocks(content).map((one) => text(one.text ?? one.refusal));
    const said = texts.filter((one) => documentIn(one) === undefined).join("");
    if (role === "system" || role === "developer") return [];
    if (role === "user") return [["user", said], ...blocks(content).flatMap(shownIn)];
    if (role === "tool") return [["result", at(id), said]];
    at = places(list(calls).map((call) => call.id));
    const called = list(calls).map((call): Told => {
      const { name, arguments: args, input } = wire(call.function ?? call.custom);
      return ["call", text(name), call.custom ? { input } : parsed(args)];
    });
    return [["model", said + text(refusal)], ...called];
  });
}
