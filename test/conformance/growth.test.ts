import { describe, expect, it } from "vitest";
import {
  type AssistantPart,
  type ChatRequest,
  type ChatResponse,
  chunksOf,
  type Fields,
  type Format,
  type Message,
} from "../../core/index.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import { stepsOf } from "../support/steps.ts";
import { chatFormats } from "./pairs.ts";
import { vendorContext } from "./vendor-context.ts";

/** How often more members of lists may be come to where there are four times as many: more than linear growth is sixteen times. */
const most = 5;
const [few, many] = [40, 160] as const;

const times = <Made>(count: number, make: (at: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at));
const text = (at: number) => ({ type: "text", text: `t${at}` }) as const;
const call = (at: number) =>
  ({ type: "tool-call", id: `call_${at}`, name: "look", arguments: `{"at":${at}}` }) as const;
const thinking = (at: number) => ({ type: "thinking", text: `h${at}`, signature: `s${at}` }) as const;
const page = (at: number) => ({
  type: "url_citation",
  url: `https://a.example/${at}`,
  title: "A",
  start_index: 0,
  end_index: 1,
});
const asked: Message = { role: "user", content: [text(0)] };
const said = (...content: AssistantPart[]): Message => ({ role: "assistant", content });
const result = (at: number): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: `call_${at}`, content: [text(at)] }],
});
const tool = (at: number) => ({ type: "function", name: `f${at}`, parameters: { type: "object" } }) as const;

/** Conversations that may be long in one way each. */
const conversations: Readonly<Record<string, (count: number) => Partial<ChatRequest>>> = {
  "texts of the user": (count) => ({ messages: [{ role: "user", content: times(count, text) }] }),
  "texts of the model": (count) => ({ messages: [asked, said(...times(count, text)), asked] }),
  thoughts: (count) => ({ messages: [asked, said(...times(count, thinking), text(0)), asked] }),
  turns: (count) => ({ messages: times(count, (at) => (at % 2 === 0 ? asked : said(text(at)))) }),
  "messages of the user": (count) => ({ messages: times(count, () => asked) }),
  "instructions between messages": (count) => ({
    messages: times(count, (at): Message[] => [{ role: "system", content: [text(at)] }, asked, said(text(at))]).flat(),
  }),
  "calls at once": (count) => ({
    messages: [asked, said(...times(count, call)), ...times(count, result)],
    tools: [{ ...tool(0), name: "look" }],
  }),
  "calls in turn": (count) => ({
    messages: [asked, ...times(count, (at) => [said(call(at)), result(at)]).flat()],
    tools: [{ ...tool(0), name: "look" }],
  }),
  tools: (count) => ({ messages: [asked], tools: times(count, tool) }),
};

const ended = { index: 0, finishReason: "stop" } as const;
const answers: Readonly<Record<string, (count: number) => ChatResponse["choices"]>> = {
  texts: (count) => [{ ...ended, content: times(count, text) }],
  "thoughts and texts": (count) => [{ ...ended, content: times(count, (at) => [thinking(at), text(at)]).flat() }],
  calls: (count) => [{ ...ended, content: times(count, call) }],
  "citations of one text": (count) => [{ ...ended, content: [{ ...text(0), citations: times(count, page) }] }],
  "texts with a citation": (count) => [
    { ...ended, content: times(count, (at) => ({ ...text(at), citations: [page(at)] })) },
  ],
};

function growth(stepsFor: (count: number) => number): number {
  // What is done once in a process is not done here.
  stepsFor(2);
  return stepsFor(many) / stepsFor(few);
}

const copied = (wire: Fields): Fields => JSON.parse(JSON.stringify(wire));
const nothing = (): void => {};
const pairs = chatFormats.flatMap((client) =>
  chatFormats.map((upstream) => ({ names: `${client.name} → ${upstream.name}`, client, upstream })),
);

describe.each(pairs)("what $names translates costs as much more as it is longer", ({ client, upstream }) => {
  it.each(Object.entries(conversations))("in a request with many %s", (_, conversation) => {
    const grown = growth((count) => {
      const wire = copied(
        client.encodeRequest(
          { model: "m", stream: false, maxTokens: 9, messages: [], ...conversation(count) },
          nothing,
        ),
      );
      return stepsOf(() => upstream.encodeRequest(client.decodeRequest(wire), nothing));
    });
    expect(grown).toBeLessThan(most);
  });

  it.each(Object.entries(answers))("in an answer with many %s, whole and streamed", (_, choices) => {
    const response = (count: number): ChatResponse => ({ id: "a", model: "m", created: 1, choices: choices(count) });
    const whole = growth((count) => {
      const wire = copied(upstream.encodeResponse(response(count), vendorContext));
      return stepsOf(() => client.encodeResponse(upstream.decodeResponse(wire), vendorContext));
    });
    expect(whole).toBeLessThan(most);
    const streamed = growth((count) => {
      const events = eventsOf(upstream, response(count));
      return stepsOf(() => translate(upstream, client, events));
    });
    expect(streamed).toBeLessThan(most);
  });
});

function eventsOf(upstream: Format<"chat">, response: ChatResponse) {
  const encoder = upstream.encodeStream?.(vendorContext);
  const sent = [...chunksOf(response)].map((chunk) => encoder?.push(chunk)).join("") + encoder?.end();
  const { encoding, events } = framingRules(upstream.framing);
  return events(Buffer.from(sent, encoding));
}

function translate(upstream: Format<"chat">, client: Format<"chat">, events: ReturnType<typeof eventsOf>): void {
  const decoder = upstream.decodeStream?.();
  const encoder = client.encodeStream?.(vendorContext);
  for (const event of events) for (const chunk of decoder?.push(event) ?? []) encoder?.push(chunk);
  for (const chunk of decoder?.end() ?? []) encoder?.push(chunk);
  encoder?.end();
}
