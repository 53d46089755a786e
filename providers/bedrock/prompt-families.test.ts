import { describe, expect, it } from "vitest";
import { familyOf } from "./prompt-families.ts";

describe("families of models that are invoked with a prompt", () => {
  const body = {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "A" },
      { role: "assistant", content: "B" },
      { role: "user", content: [{ type: "text", text: "C" }] },
    ],
    max_tokens: 9,
    temperature: 0.5,
    top_p: 0.9,
    stop: "x",
    n: 2,
  };
  const lined = (answering: string) => `System: Be brief.\nUser: A\n${answering}: B\nUser: C\n${answering}:`;
  const header = (role: string, text: string) => `<|start_header_id|>${role}<|end_header_id|>\n\n${text}<|eot_id|>`;

  it.each([
    [
      "meta.llama3-1-8b-instruct-v1:0",
      {
        prompt: `<|begin_of_text|>${header("system", "Be brief.")}${header("user", "A")}${header("assistant", "B")}${header("user", "C")}<|start_header_id|>assistant<|end_header_id|>\n\n`,
        max_gen_len: 9,
        temperature: 0.5,
        top_p: 0.9,
      },
      ["n", "stop"],
      { generation: "Hi", stop_reason: "length" },
      "length",
    ],
    [
      "meta.llama2-13b-chat-v1",
      {
        prompt: "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nA [/INST] B </s><s>[INST] C [/INST]",
        max_gen_len: 9,
        temperature: 0.5,
        top_p: 0.9,
      },
      ["n", "stop"],
      { generation: "Hi", stop_reason: "stop" },
      "stop",
    ],
    [
      "mistral.mixtral-8x7b-instruct-v0:1",
      {
        prompt: "<s>[INST] Be brief.\n\nA [/INST]B</s>[INST] C [/INST]",
        max_tokens: 9,
        temperature: 0.5,
        top_p: 0.9,
        stop: ["x"],
      },
      ["n"],
      { outputs: [{ text: "Hi", stop_reason: "length" }] },
      "length",
    ],
    [
      "amazon.titan-text-express-v1",
      {
        inputText: lined("Bot"),
        textGenerationConfig: { maxTokenCount: 9, temperature: 0.5, topP: 0.9, stopSequences: ["x"] },
      },
      ["n"],
      { inputTextTokenCount: 3, results: [{ outputText: "Hi", tokenCount: 2, completionReason: "CONTENT_FILTERED" }] },
      "content_filter",
    ],
    [
      "cohere.command-light-text-v14",
      { prompt: lined("Assistant"), max_tokens: 9, temperature: 0.5, p: 0.9, end_sequences: ["x"] },
      ["n"],
      { generations: [{ text: "Hi", finish_reason: "MAX_TOKENS" }] },
      "length",
    ],
    [
      "ai21.j2-ultra-v1",
      { prompt: lined("Assistant"), maxTokens: 9, temperature: 0.5, topP: 0.9, stopSequences: ["x"] },
      ["n"],
      { completions: [{ data: { text: "Hi" }, finishReason: { reason: "endoftext" } }] },
      "stop",
    ],
  ])("ask and answer as %s does", (model, wire, lost, answer, finish) => {
    const family = familyOf(model);
    const dropped: string[] = [];
    expect(family?.encode(body, (name) => dropped.push(name))).toEqual(wire);
    expect(dropped.sort()).toEqual(lost);
    expect(family?.decode(answer)).toMatchObject({ text: "Hi", finish });
    expect(family?.decode({ unknown: true })).toBeUndefined();
  });

  it("take texts only", () => {
    const image = { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] };
    expect(() => familyOf("meta.llama3-8b")?.encode(image, () => undefined)).toThrow("body.messages[0].content");
  });
});
