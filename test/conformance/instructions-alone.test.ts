import { expect, it } from "vitest";
import type { AssistantMessage, Format, Message } from "../../core/index.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { gemini } from "../../plugins/format-gemini/index.ts";

const text = (value: string) => [{ type: "text" as const, text: value }];
const told = (value: string): Message => ({ role: "system", content: text(value) });
const user: Message = { role: "user", content: text("And?") };
const said = (value: string): AssistantMessage => ({ role: "assistant", content: text(value) });
const result: Message = {
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "c1", content: text("found") }],
};
const call: AssistantMessage["content"][number] = { type: "tool-call", id: "c1", name: "f", arguments: "{}" };
const thought: AssistantMessage["content"][number] = { type: "thinking", text: "Hm.", signature: "PROOF" };
const calling: AssistantMessage = { role: "assistant", content: [call] };
const thinking: AssistantMessage = { role: "assistant", content: [thought, call] };
const begun = [told("Be brief."), told("Look.")];

interface Vendor {
  readonly format: Pick<Format, "name" | "encodeRequest">;
  readonly model: string;
  /** What stands in front of the turns, and the turns. */
  readonly read: (wire: Record<string, unknown>) => readonly [front: unknown, turns: unknown];
}
const vendors: readonly Vendor[] = [
  { format: anthropicMessages, model: "claude-opus-5-5", read: ({ system, messages }) => [system, messages] },
  { format: bedrockConverse, model: "anthropic.claude-opus-4-5", read: ({ system, messages }) => [system, messages] },
  {
    format: gemini,
    model: "gemini-2.5-flash",
    read: ({ systemInstruction, contents }) => [
      (systemInstruction as { parts?: unknown } | undefined)?.parts,
      contents,
    ],
  },
];

/** Results are of a role of their own in some versions of Gemini. */
const roles: Readonly<Record<string, string>> = { model: "assistant", function: "user" };

/** `front | role words, role words`, with calls, their results and thoughts by their kinds. */
function sent({ format, model, read }: Vendor, messages: readonly Message[]): string {
  const tools = [{ type: "function" as const, name: "f" }];
  const wire = format.encodeRequest({ model, messages, stream: false, tools }, () => {}, { instructsWithin: true });
  const [front, turns] = read(wire as Record<string, unknown>);
  const words = (parts: unknown): string =>
    typeof parts === "string" ? parts : ((parts as object[] | undefined) ?? []).map(wordOf).join(" ");
  const turn = ({ role, content, parts }: { role: string; content?: unknown; parts?: unknown }) =>
    `${roles[role] ?? role} ${words(content ?? parts)}`;
  return `${words(front)} | ${(turns as never[]).map(turn).join(", ")}`;
}

function wordOf(part: object): string {
  const { text: words, thought: isThought } = part as { text?: string; thought?: boolean };
  if (words !== undefined && !isThought) return words;
  const written = JSON.stringify(part);
  return /tool_?result|functionResponse/i.test(written) ? "result" : /f"/.test(written) ? "call" : "thought";
}

/** Thoughts of others are left out by some. */
const plain = (line: string): string => line.replaceAll("thought ", "");

it.each(vendors)("what instructions alone began goes on as it began: $format.name", (vendor) => {
  const first = sent(vendor, begun);
  expect(first).toBe("Be brief. | user Look.");
  for (const answer of [calling, thinking]) {
    const history = [...begun, answer, result];
    expect(plain(sent(vendor, history))).toBe(`${first}, assistant call, user result`);
  }
  const history = [...begun, thinking, result, said("So."), user];
  expect(plain(sent(vendor, history))).toBe(`${first}, assistant call, user result, assistant So., user And?`);
  expect(plain(sent(vendor, [told("Look."), calling, result]))).toBe(" | user Look., assistant call, user result");
});

it.each(vendors)("what the model says before the user does is no answer to instructions: $format.name", (vendor) => {
  const opens = vendor.format === bedrockConverse ? "user …, " : "";
  expect(sent(vendor, [told("Be brief."), said("Hello."), user])).toBe(
    `Be brief. | ${opens}assistant Hello., user And?`,
  );
  // Nobody's thought is no proof that instructions were answered: they lose no weight for it.
  const unproven: AssistantMessage = {
    role: "assistant",
    content: [{ type: "thinking", text: "Hm." }, ...said("Hello.").content],
  };
  expect(plain(sent(vendor, [told("Be brief."), unproven, user]))).toBe(
    `Be brief. | ${opens}assistant Hello., user And?`,
  );
  // What is left of a longer history: who gives the instructions stays who he is.
  const opensCalls = vendor.format === anthropicMessages ? "" : "user …, ";
  expect(sent(vendor, [told("Be brief."), calling, result, said("So."), user])).toBe(
    `Be brief. | ${opensCalls}assistant call, user result, assistant So., user And?`,
  );
});
