import { type ChatRequest, type CompletionRequest, defineCheck, type Message, z } from "../../../../core/index.ts";
import { subjectOf } from "../../subject.ts";

const role = z.enum(["user", "system", "assistant"]);
type Role = z.output<typeof role>;
interface Prefixing {
  readonly prefix: string;
  readonly applyToRole: Role;
  readonly addToExisting: boolean;
  readonly onlyIfEmpty: boolean;
}

export default defineCheck({
  id: "default.addPrefix",
  summary: "Puts a text before the first message of a role, or before the prompt; always passes.",
  parameters: z.object({
    prefix: z.string().min(1).describe("The text."),
    applyToRole: role.default("user").describe("Whose first message it is put before."),
    addToExisting: z.boolean().default(true).describe("Whether it joins that message, or is one of its own before it."),
    onlyIfEmpty: z.boolean().default(false).describe("Whether a message that says something is left alone."),
  }),
  targets: ["request"],
  verdictOnError: true,
  run(input, parameters) {
    const { requestType, request } = subjectOf(input);
    const { prefix, applyToRole, addToExisting, onlyIfEmpty } = parameters;
    const data = { prefix, requestType, applyToRole, addToExisting, onlyIfEmpty };
    const { body } = request;
    if (!body || !["complete", "chatComplete", "messages"].includes(requestType)) return { verdict: true, data };
    if ("messages" in body) {
      const messages = prefixed(body.messages, parameters);
      return { verdict: true, data, ...(messages ? { body: { ...body, messages } } : { transformed: true }) };
    }
    const completion = body as CompletionRequest;
    const prompt = withPrefix(completion.prompt, prefix);
    return { verdict: true, data, ...(prompt !== undefined && { body: { ...completion, prompt } }) };
  },
  table: {
    passes: [
      { parameters: { prefix: "Be kind. " }, ...chat(user("hi")), body: chatBody(user("Be kind. hi")) },
      {
        parameters: { prefix: "P ", applyToRole: "system" },
        ...chat(user("hi")),
        body: chatBody({ role: "system", content: [{ type: "text", text: "P " }] }, user("hi")),
      },
      {
        parameters: { prefix: "P ", applyToRole: "assistant" },
        ...chat(user("hi")),
        body: chatBody(user("hi"), { role: "assistant", content: [{ type: "text", text: "P " }] }),
      },
      {
        parameters: { prefix: "P ", addToExisting: false },
        ...chat(user("a"), user("b")),
        body: chatBody(user("P "), user("a"), user("b")),
      },
      { parameters: { prefix: "P ", onlyIfEmpty: true }, ...chat(user("hi")), data: { onlyIfEmpty: true } },
      { parameters: { prefix: "P ", onlyIfEmpty: true }, ...chat(user(" ")), body: chatBody(user("P  ")) },
      {
        parameters: { prefix: "P " },
        ...chat({ role: "user", content: [picture()] }),
        body: chatBody({ role: "user", content: [{ type: "text", text: "P " }, picture()] }),
      },
      { parameters: { prefix: "P " }, ...complete("once"), body: { model: "m", stream: false, prompt: "P once" } },
      {
        parameters: { prefix: "P " },
        ...complete(["a", "b"]),
        body: { model: "m", stream: false, prompt: ["P a", "b"] },
      },
      { parameters: { prefix: "P " }, subject: { requestType: "embed", body: { model: "m", input: ["a"] } } },
      { parameters: { prefix: "P " }, text: "hi", error: "on its own" },
    ],
    fails: [],
  },
});

/** The messages with the prefix; undefined where they stay as they are. */
function prefixed(messages: readonly Message[], { prefix, applyToRole, addToExisting, onlyIfEmpty }: Prefixing) {
  const made: Message = { role: applyToRole, content: [{ type: "text", text: prefix }] };
  const at = messages.findIndex(({ role }) => role === applyToRole);
  const first = messages[at];
  if (!first) return applyToRole === "system" ? [made, ...messages] : [...messages, made];
  if (onlyIfEmpty && saysSomething(first)) return undefined;
  return [
    ...messages.slice(0, at),
    ...(addToExisting ? [joined(first, prefix)] : [made, first]),
    ...messages.slice(at + 1),
  ];
}

const saysSomething = ({ content }: Message): boolean =>
  content.some((part) => part.type !== "text" || part.text.trim() !== "");

/** Before its first text, or as one of its own before everything else. */
function joined(message: Message, prefix: string): Message {
  if (message.role === "tool") return message;
  const at = message.content.findIndex(({ type }) => type === "text");
  const content = message.content.map((part, place) =>
    place === at && part.type === "text" ? { ...part, text: prefix + part.text } : part,
  );
  return { ...message, content: at < 0 ? [{ type: "text", text: prefix }, ...content] : content } as Message;
}

/** Undefined where there is nothing a text could be put before. */
function withPrefix(prompt: unknown, prefix: string): string | string[] | undefined {
  if (prompt === undefined) return prefix;
  if (typeof prompt === "string") return prefix + prompt;
  const texts = z.array(z.string()).min(1).safeParse(prompt).data;
  return texts?.map((text, at) => (at === 0 ? prefix + text : text));
}

function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}
function picture() {
  return { type: "image", source: { kind: "url", url: "https://a.example/x.png" } } as const;
}
function chatBody(...messages: Message[]): ChatRequest {
  return { model: "m", stream: false, messages };
}
function chat(...messages: Message[]) {
  return { subject: { requestType: "chatComplete", body: chatBody(...messages) } };
}
function complete(prompt: string | string[]) {
  return { subject: { requestType: "complete", body: { model: "m", stream: false, prompt } } };
}
