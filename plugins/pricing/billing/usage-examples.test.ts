import { expect, it } from "vitest";
import type { Format, Plugin, PluginContext } from "../../../core/index.ts";
import anthropic from "../../format-anthropic-messages/index.ts";
import converse from "../../format-bedrock-converse/index.ts";
import cohere from "../../format-cohere-chat/index.ts";
import gemini from "../../format-gemini/index.ts";
import openaiChat from "../../format-openai-chat/index.ts";
import openaiImages from "../../format-openai-images/index.ts";
import openaiResponses from "../../format-openai-responses/index.ts";
import { picodollarsOfCents } from "../arithmetic/ratio.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { bundledProviders } from "../catalogue/source.ts";
import { LayeredPrices } from "../lookup/layers.ts";
import { centsText } from "../testing.ts";

/** The formats plugins bring, without a gateway around them. */
function formatsOf(...plugins: readonly Plugin[]): ReadonlyMap<string, Format> {
  const formats = new Map<string, Format>();
  const nowhere: unknown = new Proxy(() => undefined, { get: () => nowhere, apply: () => undefined });
  const own: Record<string, unknown> = { format: (one: Format) => void formats.set(one.name, one) };
  const context = new Proxy({} as PluginContext, { get: (_, name) => own[String(name)] ?? nowhere });
  for (const plugin of plugins) plugin.setup(context, {});
  return formats;
}

const formats = formatsOf(
  ...([anthropic, cohere, converse, gemini, openaiChat, openaiImages, openaiResponses] as never[]),
);
const catalogue = new Catalogue(await bundledProviders());

/** What vendors say of an answer, and what it costs by their price lists, computed by hand: dollars per million in the notes. */
const examples: readonly [string, string, string, string, object, string, boolean?][] = [
  [
    "cached input: 1000 × 2.50 + 1024 × 1.25 + 300 × 10",
    "openai-chat",
    "openai",
    "gpt-4o",
    {
      usage: {
        prompt_tokens: 2024,
        completion_tokens: 300,
        total_tokens: 2324,
        prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    },
    "0.678",
  ],
  [
    "what is billed, and not what was read: 3 × 2.50 + 20 × 10",
    "cohere-chat",
    "cohere",
    "command-a-03-2025",
    {
      usage: {
        billed_units: { input_tokens: 3, output_tokens: 20 },
        tokens: { input_tokens: 1070, output_tokens: 24 },
        cached_tokens: 1024,
      },
    },
    "0.02075",
  ],
  [
    "what was read, where nothing is said of what is billed: 70 × 2.50 + 24 × 10",
    "cohere-chat",
    "cohere",
    "command-a-03-2025",
    { usage: { tokens: { input_tokens: 70, output_tokens: 24 } } },
    "0.0415",
  ],
  [
    "reasoning, which is part of the answer: 100 × 2 + (64 + 192) × 8",
    "openai-responses",
    "openai",
    "o3",
    {
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 256,
        output_tokens_details: { reasoning_tokens: 192 },
        total_tokens: 356,
      },
    },
    "0.2248",
  ],
  [
    "the same in a batch: half",
    "openai-responses",
    "openai",
    "o3",
    { usage: { input_tokens: 100, output_tokens: 256, output_tokens_details: { reasoning_tokens: 192 } } },
    "0.1124",
    true,
  ],
  [
    "searches of the web, and not what was read of their results: 100 × 1.25 + 50 × 10 and 2 × 0.01",
    "openai-responses",
    "openai",
    "gpt-5",
    {
      output: [
        { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "tea" } },
        { type: "web_search_call", id: "ws_2", status: "completed", action: { type: "open_page", url: "https://a" } },
        { type: "web_search_call", id: "ws_3", status: "failed", action: { type: "search", query: "tea" } },
        { type: "web_search_call", id: "ws_4", status: "completed" },
      ],
      usage: { input_tokens: 100, output_tokens: 50 },
    },
    "2.0625",
  ],
  [
    "searches that the answer counts itself, of which one was not to be paid: 100 × 1.25 + 50 × 10 and 1 × 0.01",
    "openai-responses",
    "openai",
    "gpt-5",
    {
      output: [
        { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "tea" } },
        { type: "web_search_call", id: "ws_2", status: "completed", action: { type: "search", query: "milk" } },
      ],
      usage: { input_tokens: 100, output_tokens: 50 },
      tool_usage: { web_search: { num_requests: 1 } },
    },
    "1.0625",
  ],
  [
    "searches of files: 100 × 1.25 + 50 × 10 and 2 × 0.0025",
    "openai-responses",
    "openai",
    "gpt-5",
    {
      output: [
        { type: "file_search_call", id: "fs_1", status: "completed", queries: ["tea"] },
        { type: "file_search_call", id: "fs_2", status: "completed", queries: ["milk"] },
        { type: "file_search_call", id: "fs_3", status: "failed", queries: ["tea"] },
      ],
      usage: { input_tokens: 100, output_tokens: 50 },
    },
    "0.5625",
  ],
  [
    "cache written for five minutes and for an hour, and read: 10 × 3 + 1500 × 3.75 + 500 × 6 + 8000 × 0.30 + 400 × 15",
    "anthropic-messages",
    "anthropic",
    "claude-sonnet-4-5-20250929",
    {
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 2000,
        cache_creation: { ephemeral_5m_input_tokens: 1500, ephemeral_1h_input_tokens: 500 },
        cache_read_input_tokens: 8000,
        output_tokens: 400,
      },
    },
    "1.7055",
  ],
  [
    "searches: 105 × 3 + 6039 × 15, and 2 × 0.01",
    "anthropic-messages",
    "anthropic",
    "claude-sonnet-4-5",
    { usage: { input_tokens: 105, output_tokens: 6039, server_tool_use: { web_search_requests: 2 } } },
    "11.09",
  ],
  [
    "thoughts beside the answer: 20 × 1.25 + (50 + 200) × 10",
    "gemini",
    "google",
    "gemini-2.5-pro",
    {
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 50, thoughtsTokenCount: 200, totalTokenCount: 270 },
    },
    "0.2525",
  ],
  [
    "sound that was heard: 8 × 0.30 + 320 × 1 + 30 × 2.50",
    "gemini",
    "google",
    "gemini-2.5-flash",
    {
      usageMetadata: {
        promptTokenCount: 328,
        promptTokensDetails: [
          { modality: "TEXT", tokenCount: 8 },
          { modality: "AUDIO", tokenCount: 320 },
        ],
        candidatesTokenCount: 30,
        totalTokenCount: 358,
      },
    },
    "0.03974",
  ],
  [
    "an image that was drawn: 10 × 0.30 + 1290 × 30",
    "gemini",
    "google",
    "gemini-2.5-flash-image",
    {
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 1290,
        candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1290 }],
        totalTokenCount: 1300,
      },
    },
    "3.8703",
  ],
  [
    "what vectors were made of, text, images and film: 100 × 0.20 + 258 × 0.45 + 66 × 12",
    "gemini",
    "google",
    "gemini-embedding-2",
    {
      usageMetadata: {
        promptTokenCount: 424,
        promptTokensDetails: [
          { modality: "IMAGE", tokenCount: 258 },
          { modality: "VIDEO", tokenCount: 66 },
        ],
      },
    },
    "0.09281",
  ],
  [
    "a film that was made: 20 × 1.50 + 30 × 9 + 5792 × 17.50",
    "gemini",
    "google",
    "gemini-omni-flash-preview",
    {
      usageMetadata: {
        promptTokenCount: 20,
        candidatesTokenCount: 5822,
        candidatesTokensDetails: [{ modality: "VIDEO", tokenCount: 5792 }],
      },
    },
    "10.166",
  ],
  [
    "an image that was changed: 40 × 5 + 323 × 10 + 1056 × 40",
    "openai-images",
    "openai",
    "gpt-image-1",
    {
      data: [{ b64_json: "" }],
      usage: {
        input_tokens: 363,
        input_tokens_details: { text_tokens: 40, image_tokens: 323 },
        output_tokens: 1056,
        total_tokens: 1419,
      },
    },
    "4.567",
  ],
  [
    "an image and what was thought of it: 40 × 5 + 1056 × 32 + 44 × 10",
    "openai-images",
    "openai",
    "gpt-image-1.5",
    {
      data: [{ b64_json: "" }],
      usage: {
        input_tokens: 40,
        input_tokens_details: { text_tokens: 40, image_tokens: 0 },
        output_tokens: 1100,
        output_tokens_details: { text_tokens: 44, image_tokens: 1056 },
        total_tokens: 1140,
      },
    },
    "3.4432",
  ],
  [
    "a cache of Bedrock: 5 × 3 + 1000 × 3.75 + 3000 × 0.30 + 20 × 15",
    "bedrock-converse",
    "bedrock",
    "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
    {
      usage: {
        inputTokens: 5,
        cacheWriteInputTokens: 1000,
        cacheReadInputTokens: 3000,
        outputTokens: 20,
        totalTokens: 4025,
      },
    },
    "0.4965",
  ],
];

it.each(examples)("prices %s", (_, format, provider, model, answer, cents, batch) => {
  const usage = formats.get(format)?.readUsage(answer);
  const prices = new LayeredPrices([{ source: "catalogue", sheets: catalogue.prices(provider, model) ?? [] }], []).at(
    Date.parse("2026-10-01T12:00:00Z"),
  );
  const amount = usage && prices?.tariff.cents(usage, { batch });
  expect(amount && picodollarsOfCents(amount)).toBe(centsText(cents));
});
