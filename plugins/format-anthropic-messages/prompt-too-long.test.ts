import { describe, expect, it } from "vitest";
import { encodeError, errorEvent } from "./errors.ts";

/** How Claude Code finds the two numbers. */
const found = /prompt is too long[^0-9]*(\d+)\s*tokens?\s*>\s*(\d+)/i;

const told = (message: string, status = 400, more: object = {}): string => {
  const { error } = encodeError(
    { error: { message: `vendor error: ${message}`, ...more }, provider: "vendor" },
    status,
  );
  return (error as { message: string }).message;
};

describe("that a prompt is too long", () => {
  it.each<[string, string, string, string]>([
    [
      "OpenAI",
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 131211 tokens. Please reduce the length of the messages.",
      "131211",
      "128000",
    ],
    [
      "OpenRouter",
      "This endpoint's maximum context length is 131,072 tokens. However, you requested about 140,012 tokens (135,012 of text input, 5,000 in the output).",
      "140012",
      "131072",
    ],
    [
      "vLLM",
      "This model's maximum context length is 524288 tokens. However, you requested 1 output tokens and your prompt contains at least 524288 input tokens, for a total of at least 524289 tokens.",
      "524289",
      "524288",
    ],
    [
      "Google",
      "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
      "1048577",
      "1048576",
    ],
    ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", "537812", "131072"],
    [
      "Mistral",
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      "40000",
      "32768",
    ],
    [
      "Moonshot",
      "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)",
      "291351",
      "262144",
    ],
    [
      "Cohere",
      "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.",
      "6354",
      "2048",
    ],
    ["Together", "The input (9001 tokens) is longer than the model's context length (8192 tokens).", "9001", "8192"],
  ])("is said in Anthropic's words behind those of %s, with the numbers", (_, message, length, most) => {
    const text = told(message);
    expect(text.startsWith(`vendor error: ${message} (`)).toBe(true);
    expect(found.exec(text)?.slice(1)).toEqual([length, most]);
  });

  it.each([
    ["Your input exceeds the context window of this model. Please adjust your input and try again."],
    ["invalid params, context window exceeds limit (2013)"],
    ["Please reduce the length of the messages or completion."],
    ["Prompt exceeds max length"],
    ["Range of input length should be [1, 129024]"],
    ["the request exceeds the available context size"],
    ["too many tokens: size limit exceeded by 1132 tokens. Try using shorter or fewer inputs."],
    ["Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again."],
    ["maximum context length is 8192 tokens for model-20250728"],
  ])("is said without numbers where there are none: %s", (message) => {
    expect(told(message)).toBe(`vendor error: ${message} (prompt is too long)`);
  });

  it.each([
    [
      "OpenRouter",
      "This endpoint's maximum context length is 131,072 tokens. However, you requested about 140,012 tokens (110,012 of text input, 30,000 in the output).",
      "110012 + 30000 > 131072",
    ],
    [
      "vLLM",
      "'max_tokens' or 'max_completion_tokens' is too large: 64000. This model's maximum context length is 20000 tokens and your request has 16614 input tokens (64000 > 20000 - 16614).",
      "16614 + 64000 > 20000",
    ],
    [
      "OpenAI",
      "This model's maximum context length is 8192 tokens. However, you requested 9100 tokens (1100 in the messages, 8000 in the completion).",
      "1100 + 8000 > 8192",
    ],
  ])("is another thing than that too much is to come out, as with %s", (_, message, numbers) => {
    const words = `(input length and \`max_tokens\` exceed context limit: ${numbers})`;
    expect(told(message)).toBe(`vendor error: ${message} ${words}`);
    const asked = message.replace(/,? ?[^ ]+ in the (?:output|completion)|is too large: 64000/, "");
    expect(told(asked)).toBe(`vendor error: ${asked}`);
  });

  it("is known by its code, whatever is said, and wherever it comes from", () => {
    const code = "context_length_exceeded";
    expect(told("No.", 502, { code })).toBe("vendor error: No. (prompt is too long)");
    expect(errorEvent({ message: "No.", code, status: 400 })).toContain('"message":"No. (prompt is too long)"');
    expect(errorEvent({ message: "Prompt exceeds max length" })).toContain("(prompt is too long)");
  });

  it.each([
    ["prompt is too long: 210118 tokens > 200000 maximum", 400],
    ["Prompt is too long", 413],
    ["Input is too long for requested model.", 400],
    ["max_tokens: field required", 400],
    ["Rate limit reached: 30000 tokens per minute, please try again in 2s", 429],
    ["Too many tokens, please wait before trying again.", 429],
    ["This model's maximum context length is 128000 tokens.", 500],
  ])("is not said again, nor of anything else: %s", (message, status) => {
    expect(told(message, status)).toBe(`vendor error: ${message}`);
  });

  it("leaves all else of an error as it is", () => {
    const error = { message: "Prompt exceeds max length", type: "t", param: null, code: "1261" };
    expect(encodeError({ error, provider: "z-ai" }, 400)).toEqual({
      type: "error",
      error: { ...error, message: "Prompt exceeds max length (prompt is too long)" },
      provider: "z-ai",
    });
    expect(encodeError({ message: "Not Found", ok: false }, 404)).toEqual({ message: "Not Found", ok: false });
  });
});

it.each([
  [401, "authentication_error"],
  [429, "rate_limit_error"],
  [503, "overloaded_error"],
  [418, "invalid_request_error"],
])("an error with status %i to which its vendor gave no type has that of the status, %s", (status, type) => {
  const error = { message: "cohere error: no", type: null, param: null, code: null };
  expect(encodeError({ error, provider: "cohere" }, status)).toMatchObject({
    type: "error",
    error: { ...error, type },
  });
});
