import { type Fields, isRecord } from "../../../core/index.ts";

type Token = Readonly<Fields>;

const recordsIn = (value: unknown): Token[] =>
  Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "number") : [];

/**
 * `{text, token_ids, logprobs}`, one or a list, in the shape the chat API has for it. A text of several tokens is one
 * entry, as probable as all of them together; what the vendor said of each stays beside it.
 */
export function decodeLogprobs(wire: unknown): { content: Fields[] } | undefined {
  const content = recordsIn(wire).map(({ text, token_ids: ids, logprobs }): Fields => {
    const token = typeof text === "string" ? text : "";
    const each = numbersIn(logprobs);
    return {
      token,
      logprob: each.reduce((sum, one) => sum + one, 0),
      bytes: [...Buffer.from(token)],
      top_logprobs: [],
      token_ids: numbersIn(ids),
      ...(each.length !== 1 && { token_logprobs: each }),
    };
  });
  return content.length > 0 ? { content } : undefined;
}

/** The same back; nothing when it is in another shape than that of chat answers. */
export function encodeLogprobs(logprobs: unknown): Fields[] {
  return recordsIn(isRecord(logprobs) ? logprobs.content : undefined).map((entry) => ({
    text: entry.token,
    token_ids: numbersIn(entry.token_ids),
    logprobs: Array.isArray(entry.token_logprobs) ? entry.token_logprobs : numbersIn([entry.logprob]),
  }));
}
