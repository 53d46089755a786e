import { describe, expect, it } from "vitest";
import { decodeRequest, encodeRequest } from "./request.ts";

const base = { model: "davinci-002", prompt: "Hi" };

describe("openai-completions bounds", () => {
  it.each<[object, string, RegExp]>([
    [{ prompt: "Hi" }, "model", /^model is required and must be a string$/],
    [{ ...base, model: null }, "model", /a string, got null/],
    [{ ...base, model: "" }, "model", /not empty, got ""/],
    [{ model: "m" }, "prompt", /^prompt is required/],
    [{ ...base, prompt: 7 }, "prompt", /got 7/],
    [{ ...base, prompt: [] }, "prompt", /at least one item, got \[\]/],
    [{ ...base, prompt: ["a", 1] }, "prompt[1]", /a string, got 1/],
    [{ ...base, prompt: [1, "a"] }, "prompt[1]", /an integer, got "a"/],
    [{ ...base, prompt: [1.5] }, "prompt[0]", /an integer, got 1.5/],
    [{ ...base, prompt: [null] }, "prompt[0]", /got null/],
    [{ ...base, prompt: [[]] }, "prompt[0]", /at least one integer, got \[\]/],
    [{ ...base, prompt: [[1], "a"] }, "prompt[1]", /a list of at least one integer/],
    [{ ...base, prompt: [[1], [2, "a"]] }, "prompt[1][1]", /an integer, got "a"/],
    [{ ...base, best_of: -1 }, "best_of", /from 0 to 20, got -1/],
    [{ ...base, best_of: 21 }, "best_of", /from 0 to 20, got 21/],
    [{ ...base, best_of: 2, n: 2 }, "best_of", /greater than n, which is 2, got 2/],
    [{ ...base, best_of: 3, stream: true }, "best_of", /stream.*got 3/],
    [{ ...base, echo: "yes" }, "echo", /true or false, got "yes"/],
    [{ ...base, frequency_penalty: 2.01 }, "frequency_penalty", /from -2 to 2, got 2.01/],
    [{ ...base, presence_penalty: -2.5 }, "presence_penalty", /from -2 to 2, got -2.5/],
    [{ ...base, logit_bias: { "50256": 101 } }, "logit_bias.50256", /from -100 to 100, got 101/],
    [{ ...base, logit_bias: { "50256": 0.5 } }, "logit_bias.50256", /an integer/],
    [{ ...base, logit_bias: [] }, "logit_bias", /an object/],
    [{ ...base, logprobs: 6 }, "logprobs", /from 0 to 5, got 6/],
    [{ ...base, logprobs: true }, "logprobs", /from 0 to 5, got true/],
    [{ ...base, max_tokens: -1 }, "max_tokens", /0 or more, got -1/],
    [{ ...base, n: 0 }, "n", /from 1 to 128, got 0/],
    [{ ...base, n: 129 }, "n", /from 1 to 128, got 129/],
    [{ ...base, seed: 1e19 }, "seed", /a 64-bit integer/],
    [{ ...base, seed: 0.5 }, "seed", /a 64-bit integer, got 0.5/],
    [{ ...base, stop: [] }, "stop", /1 to 4 strings, got \[\]/],
    [{ ...base, stop: ["a", "b", "c", "d", "e"] }, "stop", /1 to 4 strings/],
    [{ ...base, stop: [1] }, "stop", /got \[1\]/],
    [{ ...base, stream: 1 }, "stream", /true or false, got 1/],
    [{ ...base, stream_options: { include_usage: true } }, "stream_options", /absent unless stream is true/],
    [{ ...base, stream: true, stream_options: { include_usage: 1 } }, "stream_options.include_usage", /true or false/],
    [{ ...base, suffix: 1 }, "suffix", /a string, got 1/],
    [{ ...base, temperature: 2.1 }, "temperature", /from 0 to 2, got 2.1/],
    [{ ...base, top_p: -0.1 }, "top_p", /from 0 to 1, got -0.1/],
    [{ ...base, user: null }, "user", /a string, got null/],
  ])("refuses %j", (wire, param, message) => {
    expect(() => decodeRequest(wire)).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        message: expect.stringMatching(message),
        details: expect.objectContaining({ param }),
      }),
    );
  });

  it.each([[null], ["text"], [[]]])("refuses %j as a body", (body) => {
    expect(() => decodeRequest(body)).toThrow(
      expect.objectContaining({ code: "invalid_request", message: expect.stringMatching(/^body must be an object/) }),
    );
  });

  it("lists every mistake", () => {
    expect(() => decodeRequest({ ...base, n: 0, temperature: 3, prompt: [] })).toThrow(
      expect.objectContaining({
        details: {
          param: "n",
          errors: [
            "n must be an integer from 1 to 128, got 0",
            "temperature must be a number from 0 to 2, got 3",
            "prompt must be a list with at least one item, got []",
          ],
        },
      }),
    );
  });

  it.each([
    [{ best_of: 0 }],
    [{ best_of: 20, n: 19 }],
    [{ n: 128 }],
    [{ n: 1 }],
    [{ logprobs: 0 }],
    [{ logprobs: 5 }],
    [{ max_tokens: 0 }],
    [{ frequency_penalty: -2, presence_penalty: 2 }],
    [{ logit_bias: { "1": -100, "2": 100 } }],
    [{ seed: -(2 ** 63) }],
    [{ seed: 2 ** 63 - 1 }],
    [{ stop: ["a", "b", "c", "d"] }],
    [{ temperature: 0, top_p: 0 }],
    [{ temperature: 2, top_p: 1 }],
    [{ stream: true, stream_options: { include_usage: false } }],
    [{ prompt: ["a", ""] }],
    [{ prompt: [1] }],
    [{ prompt: [[1], [2]] }],
    [{ prompt: null }],
  ])("accepts %j, and gives it back", (fields) => {
    expect(encodeRequest(decodeRequest({ ...base, ...fields }), () => {})).toEqual({ ...base, ...fields });
  });

  it("takes null for absent where the API does", () => {
    const nulls = Object.fromEntries(
      "best_of echo frequency_penalty presence_penalty logit_bias logprobs max_tokens n seed stop stream stream_options suffix temperature top_p"
        .split(" ")
        .map((name) => [name, null]),
    );
    expect(decodeRequest({ ...base, ...nulls })).toEqual({ ...base, stream: false });
  });

  it("reports fields of other formats, which it cannot carry", () => {
    const dropped: string[] = [];
    encodeRequest({ model: "m", stream: false, extra: { format: "other", fields: { safePrompt: true } } }, (name) =>
      dropped.push(name),
    );
    expect(dropped).toEqual(["safe_prompt"]);
  });
});
