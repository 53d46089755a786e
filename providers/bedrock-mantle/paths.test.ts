import { expect, it } from "vitest";
import { builtInFormats } from "../../core/built-in-formats.ts";
import { operationsOf } from "../../core/provider-kit/offered-operations.ts";
import type { CommonOptions } from "../../core/provider-kit/provider-definition.ts";
import mantle from "./index.ts";

const { formats } = await builtInFormats();

/** Where a model is asked, and by which formats, the first one first. */
function asked(model: string, more: object = {}) {
  const options = mantle.options.parse({ apiKey: "k", region: "us-east-2", ...more }) as CommonOptions &
    Record<string, unknown>;
  const served = (operationsOf(mantle, options, formats).chat ?? []).filter((spec) => spec.serves?.(model) ?? true);
  const call = { model, stream: false };
  return served.map(({ format, path }) => [format, typeof path === "string" ? path : path(call)]);
}

const host = "https://bedrock-mantle.us-east-2.api.aws";

it.each(["openai.gpt-5.4", "openai.gpt-5.6-sol", "us.openai.gpt-6-luna"])(
  "OpenAI's closed models are below a path of their own, and served by responses only: %s",
  (model) => {
    expect(asked(model)).toEqual([["openai-responses", `${host}/openai/v1/responses`]]);
    for (const baseUrl of ["https://h.example/v1", "https://h.example/openai/v1"])
      expect(asked(model, { baseUrl })).toEqual([["openai-responses", "https://h.example/openai/v1/responses"]]);
  },
);

it.each(["openai.gpt-oss-120b", "qwen.qwen3-32b", "google.gemma-3-27b-it"])(
  "others are where they were: %s",
  (model) => {
    expect(asked(model)).toEqual([
      ["openai-chat", "/chat/completions"],
      ["openai-responses", "/responses"],
    ]);
  },
);
