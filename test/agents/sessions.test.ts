import { describe, expect, it } from "vitest";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { codexInCode } from "./codex-in-code.ts";
import {
  type Expected,
  ofClaudeCode,
  ofCodex,
  ofCodexInCode,
  ofGeminiCli,
  ofOpenCode,
  ofQwenCode,
} from "./expected.ts";
import { geminiCli } from "./gemini-cli.ts";
import { openCode } from "./open-code.ts";
import { play } from "./play.ts";
import { qwenCode } from "./qwen-code.ts";
import type { Taken } from "./stand-in.ts";
import { vendors } from "./vendors.ts";

const markersIn = (taken: Taken | undefined): number =>
  taken?.text.match(/"(?:cache_control|cachePoint)":/g)?.length ?? 0;

const agents = [
  { agent: claudeCode, expected: ofClaudeCode },
  { agent: codex, expected: ofCodex },
  { agent: codexInCode, expected: ofCodexInCode },
  { agent: geminiCli, expected: ofGeminiCli },
  { agent: openCode, expected: ofOpenCode },
  { agent: qwenCode, expected: ofQwenCode },
];

describe.each(agents)("a session of $agent.name", ({ agent, expected }) => {
  it.each(vendors)("goes as it does at its own vendor, at $provider with $model", async (vendor) => {
    const { dropped = [], beside = [], sent, markers = 0 }: Expected = expected[vendor.model] ?? { sent: {} };
    const played = await play(agent, vendor);
    expect(played.dropped).toEqual([...dropped].sort());
    expect(played.droppedBeside).toEqual([...beside].sort());
    const last = played.asked.at(-1);
    expect(last?.body).toMatchObject(sent);
    expect(markersIn(last)).toBe(markers);
    // What is in beta is a matter between Claude Code and Claude's own host; Bedrock has it in the body.
    const isOwn = agent === claudeCode && vendor.provider === "anthropic";
    expect(last?.headers["anthropic-beta"]?.includes("claude-code-20250219") ?? false).toBe(isOwn);
  });
});
