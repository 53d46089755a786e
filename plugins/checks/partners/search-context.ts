import {
  type ChatRequest,
  CheckError,
  type CheckInput,
  type CheckResult,
  type CompletionRequest,
  type SystemMessage,
  z,
} from "../../../core/index.ts";

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
  const body = subject?.request.body;
  if (!body || !("messages" in body || "prompt" in body))
    throw new CheckError("Search results are added to chats and text completions; this is neither.");
  if (found.length === 0) return { verdict: true };
  const block = blockOf(around, found);
  if ("messages" in body) return { verdict: true, body: chatWith(body, block) };
  return { verdict: true, body: { ...body, ...promptWith(body as CompletionRequest, block) } as CompletionRequest };
}

/** A page could end the block early, and speak for the operator from there on. */
function blockOf({ prefix, suffix }: Around, found: readonly Found[]): string {
  const end = suffix.trim();
  const told = (text: string) => (end === "" ? text : text.replaceAll(end, ""));
  const lines = found.flatMap(({ title, url, date, text }, at) => [
    `[${at + 1}] "${told(title)}"`,
    `URL: ${told(url)}`,
    ...(date === undefined ? [] : [`Date: ${told(date)}`]),
    told(text),
  ]);
  return [prefix, ...lines].join("\n") + suffix;
}

function chatWith(chat: ChatRequest, block: string): ChatRequest {
  const at = chat.messages.findIndex(({ role }) => role === "system" || role === "developer");
  const present = chat.messages[at];
  const isSystem = present?.role === "system" || present?.role === "developer";
  const system: SystemMessage = isSystem
    ? { ...present, content: appended(present.content, block) }
    : { role: "system", content: [{ type: "text", text: block }] };
  const others = chat.messages.filter((message) => message !== present);
  const before = isSystem ? at : 0;
  return { ...chat, messages: [...others.slice(0, before), system, ...others.slice(before)] };
}

function appended(content: SystemMessage["content"], block: string): SystemMessage["content"] {
  const last = content.at(-1);
  return last ? [...content.slice(0, -1), { ...last, text: last.text + block }] : [{ type: "text", text: block }];
}

function promptWith({ prompt }: CompletionRequest, block: string): Pick<CompletionRequest, "prompt"> {
  if (typeof prompt === "string") return { prompt: `${block}\n${prompt}` };
  const [first, ...others] = prompt ?? [];
  if (typeof first !== "string") throw new CheckError("Search results cannot be added to a prompt of token ids.");
  return { prompt: [`${block}\n${first}`, ...others.filter((one) => typeof one === "string")] };
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
