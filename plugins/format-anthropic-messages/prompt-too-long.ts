/**
 * Agents that speak this format shorten a conversation when the vendor says that it is too long, and know that by Anthropic's words
 * only: "prompt is too long: 210118 tokens > 200000 maximum". Claude Code looks for them, or for Bedrock's, anywhere in the
 * message, and takes the two numbers out of them; of an error in other words it can make nothing, and neither can its `/compact`.
 */
const known = /prompt is too long|input is too long for requested model/i;

/** The code of OpenAI, and of many who speak its API. */
const code = "context_length_exceeded";

/** How else vendors say it; where they say how much they take, that is the group. */
const wordings: readonly RegExp[] = [
  // OpenAI, Azure, DeepSeek, OpenRouter, vLLM; LiteLLM has "exceeds the model's maximum context length of 4096 tokens".
  /maximum context length(?: is| of)? \(?(\d+)/i,
  // OpenAI's Responses API; MiniMax.
  /exceeds the context window|context window exceeds limit/i,
  // Google.
  /exceeds the maximum number of tokens allowed \((\d+)/i,
  // xAI.
  /maximum prompt length is (\d+)/i,
  // Mistral.
  /too large for model with (\d+) maximum context length/i,
  // Groq.
  /reduce the length of the messages/i,
  // Together.
  /longer than the model'?s context length \((\d+)/i,
  // Moonshot.
  /exceeded model token limit:? (\d+)/i,
  // Z.ai.
  /prompt exceeds max length/i,
  // DashScope.
  /range of input length should be \[\d+, (\d+)\]/i,
  // Cohere (github.com/cohere-ai/sandbox-topically/issues/4).
  /total number of tokens.* cannot exceed (\d+)|too many tokens: size limit exceeded/i,
  // Amazon's own models.
  /input tokens exceeded/i,
  // GitHub's Copilot.
  /prompt token count of \d+ exceeds the limit of (\d+)/i,
  // llama.cpp and LM Studio.
  /exceeds the available context size(?: \((\d+))?|greater than the context length/i,
];

/** Statuses of requests that are at fault; a failure inside a stream may have none. */
const refused: ReadonlySet<unknown> = new Set([undefined, 400, 413, 422]);

export interface Said {
  readonly message: string;
  readonly code?: unknown;
}

/** What a vendor said, and where that is that the prompt is too long, Anthropic's words for it besides. */
export function withTooLong({ message, code: said }: Said, status: number | undefined): string {
  if (known.test(message)) return message;
  const plain = message.replace(/(?<=\d),(?=\d{3})/g, "");
  const found = refused.has(status) ? wordings.map((words) => words.exec(plain)).find((match) => match) : undefined;
  if (!found && said !== code) return message;
  const most = Number(found?.[1]);
  const input = numberIn(plain, asInput);
  // The prompt alone would fit: less is to be asked for, which agents do by themselves when they are told so.
  if (input !== undefined && input < most) return `${message}${withOutput(input, numberIn(plain, asOutput), most)}`;
  return `${message} (prompt is too long${counts(plain, most)})`;
}

/** What goes in and what is to come out, where a vendor tells them apart. */
const asInput = /(\d+) (?:input tokens|in the messages|of text input)/i;
const asOutput = /(\d+) (?:output tokens|in the completion|in the output)|too large: (\d+)/i;

function numberIn(message: string, words: RegExp): number | undefined {
  const [, first, second] = words.exec(message) ?? [];
  const number = first ?? second;
  return number === undefined ? undefined : Number(number);
}

const withOutput = (input: number, output: number | undefined, most: number): string =>
  output === undefined ? "" : ` (input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${most})`;

/** How long it is and how long it may be, where that is said: the first number that is too large, and no part of a name. */
function counts(message: string, most: number): string {
  const lengths = (message.match(/(?<![\w.-])\d+/g) ?? []).map(Number);
  const length = lengths.find((one) => one > most);
  return length === undefined ? "" : `: ${length} tokens > ${most} maximum`;
}
