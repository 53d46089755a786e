import { expect, it } from "vitest";
import { type ClaudeAbilities, claudeAbilities, claudeEffort } from "./claude.ts";

it.each([
  ["claude-2.1", "none"],
  ["anthropic.claude-v2:1", "none"],
  ["anthropic.claude-instant-v1", "none"],
  ["claude-3-opus-20240229", "none"],
  ["claude-3-5-haiku-latest", "none"],
  ["us.anthropic.claude-3-5-sonnet-20241022-v2:0", "none"],
  ["claude-3-7-sonnet-latest", "budget"],
  ["anthropic/claude-3.7-sonnet:thinking", "budget"],
  ["databricks-claude-3-7-sonnet", "budget"],
  ["claude-sonnet-4-20250514", "budget"],
  ["claude-sonnet-4@20250514", "budget"],
  ["claude-opus-4-0", "budget"],
  ["claude-opus-4-1", "budget"],
  ["us.anthropic.claude-opus-4-1-20250805-v1:0", "budget"],
  ["arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-20250514-v1:0", "budget"],
  ["anthropic/claude-sonnet-4.5", "budget"],
  ["claude-haiku-4-5-20251001", "budget"],
  ["claude-opus-4-6", "adaptive"],
  ["claude-opus-4-6-20260115", "adaptive"],
  ["anthropic/claude-opus-4.6", "adaptive"],
  ["global.anthropic.claude-sonnet-5-20260301-v1:0", "adaptive"],
  ["Claude-Opus-4-7", "adaptive"],
  ["claude-next", "adaptive"],
  ["claude-mythos-preview", "adaptive"],
  ["deepseek-chat", undefined],
])("knows what %s can do about thinking: %s", (model, thinking) => {
  expect(claudeAbilities(model)?.thinking).toBe(thinking);
});

it.each([
  ["claude-3-opus-20240229", true],
  ["anthropic/claude-opus-4.6", true],
  ["claude-next", true],
  ["claude-opus-4-7", false],
  ["us.anthropic.claude-sonnet-5-20260301-v1:0", false],
  ["claude-haiku-5@20260301", false],
  ["claude-mythos-preview", false],
  ["deepseek-chat", undefined],
])("knows whether the sampling of %s can be set: %s", (model, sampling) => {
  expect(claudeAbilities(model)?.sampling).toBe(sampling);
});

it.each<[string, string, string]>([
  ["claude-opus-4-6", "minimal", "low"],
  ["claude-opus-4-6", "low", "low"],
  ["claude-opus-4-6", "high", "high"],
  ["claude-opus-4-6", "xhigh", "high"],
  ["claude-opus-4-6", "max", "max"],
  ["us.anthropic.claude-sonnet-4-6-v1:0", "xhigh", "high"],
  ["anthropic/claude-sonnet-4.6", "xhigh", "high"],
  ["claude-mythos-preview", "xhigh", "high"],
  ["claude-mythos-5", "xhigh", "xhigh"],
  ["claude-opus-4-7", "xhigh", "xhigh"],
  ["claude-sonnet-5@20260301", "xhigh", "xhigh"],
  ["claude-opus-9", "xhigh", "xhigh"],
  ["claude-next", "xhigh", "xhigh"],
  ["claude-opus-9", "minimal", "low"],
  ["claude-opus-4-6", "ultra", "ultra"],
])("tells %s an effort of %s as %s", (model, asked, effort) => {
  expect(claudeEffort(model, asked)).toBe(effort);
});

it.each<[string, boolean]>([
  ["claude-opus-4-7", false],
  ["us.anthropic.claude-opus-4-8", true],
  ["claude-sonnet-5", false],
  ["claude-opus-5", true],
  ["anthropic/claude-sonnet-5.5", true],
  ["claude-haiku-4-5", false],
  ["claude-haiku-5-5", true],
  ["claude-fable-5-2", true],
  ["claude-mythos-5", true],
  ["claude-fable", true],
  ["claude-mythos-preview", false],
  ["claude-next", false],
])("knows whether %s may be instructed between messages: %s", (model, is) => {
  expect(claudeAbilities(model)?.instructedWithin ?? false).toBe(is);
});

const peculiarities = ["alwaysThinks", "off", "refusesBudgets", "refusesForcedTools", "thinksUnasked"] as const;
it.each<[string, readonly (keyof ClaudeAbilities)[]]>([
  ["claude-sonnet-4-5", []],
  ["claude-opus-4-6", []],
  ["claude-opus-4-8", ["refusesBudgets"]],
  ["claude-opus-5", ["refusesBudgets", "thinksUnasked"]],
  ["us.anthropic.claude-haiku-5-5", ["refusesBudgets", "thinksUnasked"]],
  ["anthropic/claude-sonnet-5.5", ["off", "refusesBudgets", "refusesForcedTools", "thinksUnasked"]],
  ["claude-opus-5-5", ["alwaysThinks", "refusesBudgets", "refusesForcedTools", "thinksUnasked"]],
  ["claude-fable-5", ["alwaysThinks", "refusesBudgets", "thinksUnasked"]],
  ["claude-mythos-5-1", ["alwaysThinks", "refusesBudgets", "refusesForcedTools", "thinksUnasked"]],
  ["claude-fable", ["alwaysThinks", "refusesBudgets", "refusesForcedTools", "thinksUnasked"]],
  ["claude-mythos-preview", ["alwaysThinks", "refusesBudgets", "thinksUnasked"]],
  ["claude-next", ["thinksUnasked"]],
])("knows what is peculiar to %s: %j", (model, peculiar) => {
  const abilities = claudeAbilities(model);
  expect(peculiarities.filter((name) => abilities?.[name])).toEqual(peculiar);
});
