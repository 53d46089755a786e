import {
  type ChatRequest,
  CheckError,
  type CheckInput,
  type CheckResult,
  type CheckSubject,
  type CompletionRequest,
  type Message,
  type SystemMessage,
  z,
} from "../../../core/index.ts";
import { chatOf } from "./conversation.ts";

/** A page that was found. */
export interface Found {
  readonly title: string;
  readonly url: string;
  readonly date?: string | undefined;
  readonly text: string;
}

export const prefix = z.string().default("\n<web_search_context>").describe("What stands before the results.");
export const suffix = z.string().default("\n</web_search_context>").describe("What stands behind them.");

interface Around {
  readonly prefix: string;
  readonly suffix: string;
}

/** The request with what was found in it, as instructions or in front of the prompt (guardrails.md section 13.10). */
export function withFound(
  { subject }: CheckInput,
  around: Around,
  found: readonly Found[],
): Pick<CheckResult, "body" | "verdict"> {
  const chat = chatOf(subject);
  const completion = completionOf(subject);
  const block = found.length === 0 ? undefined : blockOf(around, found);
  if (chat) return { verdict: true, ...(block !== undefined && { body: chatWith(chat, block) }) };
  if (!completion) throw new CheckError("Search results are added to chats and text completions; this is neither.");
  if (block === undefined) return { verdict: true };
  return { verdict: true, body: { ...completion, prompt: promptWith(completion, block) } };
}

const completionOf = (subject: CheckSubject | undefined): CompletionRequest | undefined =>
  subject?.requestType === "complete" ? (subject.request.body as CompletionRequest | undefined) : undefined;

/** A page could end the block early, and speak for the operator from there on. */
function blockOf({ prefix, suffix }: Around, found: readonly Found[]): string {
  const end = suffix.trim();
  const told = (text: string) => (end === "" ? text : text.replaceAll(end, " "));
  const lines = found.flatMap(({ title, url, date, text }, at) => [
    `[${at + 1}] "${told(title)}"`,
    `URL: ${told(url)}`,
    ...(date === undefined ? [] : [`Date: ${told(date)}`]),
    told(text),
  ]);
  return [prefix, ...lines].join("\n") + suffix;
}

const isSystem = (message: Message): message is SystemMessage =>
  message.role === "system" || message.role === "developer";

function chatWith(chat: ChatRequest, block: string): ChatRequest {
  const present = chat.messages.find(isSystem);
  if (!present) {
    const system: SystemMessage = { role: "system", content: [{ type: "text", text: block }] };
    return { ...chat, messages: [system, ...chat.messages] };
  }
  const extended = { ...present, content: appended(present.content, block) };
  return { ...chat, messages: chat.messages.map((message) => (message === present ? extended : message)) };
}

function appended(content: SystemMessage["content"], block: string): SystemMessage["content"] {
  const last = content.at(-1);
  if (last?.type !== "text") return [...content, { type: "text", text: block }];
  return [...content.slice(0, -1), { ...last, text: last.text + block }];
}

function promptWith({ prompt }: CompletionRequest, block: string): string | string[] {
  if (typeof prompt === "string") return `${block}\n${prompt}`;
  const [first, ...others] = prompt ?? [];
  if (typeof first !== "string") throw new CheckError("Search results cannot be added to a prompt of token ids.");
  return [`${block}\n${first}`, ...others.filter((one) => typeof one === "string")];
}

/** A chat as the tables have it. */
export const chatOfTexts = (user: string, system?: string): ChatRequest => ({
  model: "m",
  stream: false,
  messages: [
    ...(system === undefined ? [] : [{ role: "system" as const, content: [{ type: "text" as const, text: system }] }]),
    { role: "user", content: [{ type: "text", text: user }] },
  ],
});
