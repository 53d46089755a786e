import { expect, it } from "vitest";
import type { Endpoint, Format, PluginContext } from "../../core/index.ts";
import plugin, {
  gemini,
  geminiBatchEmbeddings,
  geminiCount,
  geminiEmbeddings,
  geminiImages,
  geminiList,
} from "./index.ts";
import { readUrl } from "./url.ts";

it.each([
  ["/v1beta/models/gemini-2.5-pro:generateContent", { model: "gemini-2.5-pro", stream: false }],
  ["/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse&key=x", { model: "gemini-2.5-pro", stream: true }],
  ["/v1beta/models/@openai/gpt:4:generateContent", { model: "@openai/gpt:4", stream: false }],
  ["/v1beta/models/openai%2Fgpt-4:generateContent/", { model: "openai/gpt-4", stream: false }],
  ["/v1beta/models/a%E0%A4%A:generateContent", { model: "a%E0%A4%A", stream: false }],
  ["/v1beta/openai/gpt-4:streamGenerateContent?alt=sse", { model: "openai/gpt-4", stream: true }],
  ["/v1beta/tunedModels/mine-1:generateContent", { model: "tunedModels/mine-1", stream: false }],
  ["/v1beta/models/a:generateContent?x=b:countTokens", { model: "a", stream: false }],
  ["/v1/models/openai/small-1:generateContent", { model: "openai/small-1", stream: false }],
  ["/v1/publishers/google/models/gemini-2.5-pro:generateContent", { model: "gemini-2.5-pro", stream: false }],
  [
    "/v1beta1/projects/p/locations/us-central1/publishers/openai/models/small-1:streamGenerateContent?alt=sse",
    { model: "openai/small-1", stream: true },
  ],
  ["/v1/v1beta/models/gemini-2.5-pro:generateContent", { model: "gemini-2.5-pro", stream: false }],
  ["/v1beta/v1beta1/publishers/google/models/a:streamGenerateContent?alt=sse", { model: "a", stream: true }],
  ["/v1beta/v1/small:generateContent", { model: "v1/small", stream: false }],
  ["/v1beta/models/v1/small:generateContent", { model: "v1/small", stream: false }],
  ["/v1beta/models", {}],
])("reads %s", (url, said) => {
  expect(readUrl(url)).toEqual(said);
});

it("brings its formats, and an endpoint for each thing that may be asked of a model", () => {
  const formats: Format[] = [];
  const endpoints: Endpoint[] = [];
  const context: Pick<PluginContext, "format" | "endpoint"> = {
    format: (format) => formats.push(format),
    endpoint: (endpoint) => endpoints.push(endpoint),
  };
  plugin.setup(context as PluginContext, {});
  expect(formats).toEqual([gemini, geminiList, geminiEmbeddings, geminiBatchEmbeddings, geminiImages, geminiCount]);
  const formatAt = (url: string) => endpoints.find((endpoint) => endpoint.url?.test(url))?.format;
  const at = "/v1beta/models/a/b";
  expect(formatAt(`${at}:generateContent`)).toBe("gemini");
  expect(formatAt(`${at}:generateContent?key=a`)).toBe("gemini");
  expect(formatAt(`${at}:streamGenerateContent?key=a&alt=sse`)).toBe("gemini");
  expect(formatAt(`${at}:streamGenerateContent?alt=sse`)).toBe("gemini");
  expect(formatAt(`${at}:streamGenerateContent`)).toBe("gemini-list");
  expect(formatAt(`${at}:streamGenerateContent?alt=json`)).toBe("gemini-list");
  expect(formatAt(`${at}:embedContent`)).toBe("gemini-embeddings");
  expect(formatAt(`${at}:batchEmbedContents`)).toBe("gemini-batch-embeddings");
  expect(formatAt(`${at}:countTokens?x=:generateContent`)).toBe("gemini-count-tokens");
  expect(formatAt(`${at}:predict?x=:generateContent`)).toBeUndefined();
});
