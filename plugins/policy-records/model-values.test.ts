import { describe, expect, it } from "vitest";
import { folderOfFile, startManagement } from "../../test/support/management.ts";
import { unmatchedModels } from "./model-values.ts";

const toldOf = (value: string | string[], more = {}) => unmatchedModels([{ key: "model", value, ...more }]);

describe("a value of model", () => {
  it.each([
    "*",
    "gpt-4o",
    "meta-llama/Llama-3",
    "deepseek/deepseek-chat",
    "@openai/gpt-4o",
    "@openai/*",
    "@openai/gpt-*",
    "@together/meta-llama/*",
  ])("may be %s", (value) => {
    expect(toldOf(value)).toEqual([]);
  });

  it.each([
    ["deepseek/*", 'without an @ the whole name is compared; write "@deepseek/*"'],
    ["openai/gpt-*", 'without an @ the whole name is compared; write "@openai/gpt-*"'],
    ["gpt-*", 'without an @ the whole name is compared; write "@PROVIDER/gpt-*"'],
    ["*/gpt-4o", 'without an @ the whole name is compared; write "@PROVIDER/*/gpt-4o"'],
    ["@openai", 'write "@PROVIDER/MODEL", or "@PROVIDER/*" for all of its models'],
    ["@openai/", 'write "@PROVIDER/MODEL", or "@PROVIDER/*" for all of its models'],
    ["@/gpt-4o", 'write "@PROVIDER/MODEL", or "@PROVIDER/*" for all of its models'],
    ["@*/gpt-4o", 'a wildcard stands for no provider; the name alone ("MODEL") is that of any'],
    ["@openai/*-mini", 'a wildcard stands at the end only; write "@PROVIDER/BEGINNING*"'],
  ])("may not be %s, which no request meets", (value, remedy) => {
    expect(toldOf(value)).toEqual([
      { path: ["conditions", 0, "value"], message: `"${value}" matches no model: ${remedy}` },
    ]);
  });

  it("is told with its place in a list, and in what is excluded", () => {
    const paths = toldOf(["gpt-4o", "gpt-*"], { excludes: ["a*"] }).map(({ path }) => path);
    expect(paths).toEqual([
      ["conditions", 0, "value", 1],
      ["conditions", 0, "excludes", 0],
    ]);
  });

  it("is not looked at under another key", () => {
    expect(unmatchedModels([{ key: "metadata.team", value: "a*" }])).toEqual([]);
  });
});

it("the file is not started with a value of model that no request meets", async () => {
  const usageLimits = {
    broken: {
      conditions: [{ key: "model", value: "deepseek/*" }],
      group_by: [{ key: "api_key" }],
      type: "cost",
      credit_limit: 2,
    },
  };
  await expect(startManagement({ "policy-records": { usageLimits } }, { folder: folderOfFile() })).rejects.toThrow(
    /:\d+:\d+ plugins\.policy-records\.usageLimits\.broken\.conditions\[0\]\.value: "deepseek\/\*" matches no model: .*"@deepseek\/\*"/,
  );
});
