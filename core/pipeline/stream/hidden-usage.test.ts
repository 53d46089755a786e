import { expect, it } from "vitest";
import { openAiChat } from "../../../plugins/format-openai-chat/format.ts";
import { askingUsage } from "../../codec-kit/usage/usage-frames.ts";
import type { StreamUsage } from "../../model/format.ts";
import { hidingUsage } from "./hidden-usage.ts";
import { passThrough } from "./stream-work.ts";

const frame = (more: object) => `data: ${JSON.stringify({ id: "c", ...more })}\n\n`;
const answer = frame({ choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: "stop" }] });
const usage = frame({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } });
const done = "data: [DONE]\n\n";

it.each(["\n", "\r\n", "\r"])("keeps back the usage alone, where lines end with %j", (end) => {
  const inLines = (text: string) => text.replaceAll("\n", end);
  const work = hidingUsage(passThrough(openAiChat, 1e6), askingUsage(openAiChat, true).streamUsage as StreamUsage);
  const sent = work.push(Buffer.from(inLines(answer + usage + done))).toString();
  expect(sent + work.end().out.toString()).toBe(inLines(answer + done));
  expect(work.usage).toMatchObject({ outputTokens: 2 });
});
