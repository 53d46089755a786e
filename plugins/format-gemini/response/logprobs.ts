import { compact, type Fields, isRecord, recordsIn } from "../../../core/index.ts";

type Token = Readonly<Fields>;

const readToken = ({ token, logProbability }: Token): Fields => {
  const text = typeof token === "string" ? token : "";
  return { token: text, logprob: logProbability, bytes: [...Buffer.from(text)] };
};

/** `logprobsResult` in the shape the chat API has for it. */
export function decodeLogprobs(wire: unknown): Fields | undefined {
  if (!isRecord(wire)) return undefined;
  const tops = recordsIn(wire.topCandidates);
  const content = recordsIn(wire.chosenCandidates).map((chosen, at) =>
    Object.assign(readToken(chosen), { top_logprobs: recordsIn(tops[at]?.candidates).map(readToken) }),
  );
  return content.length > 0 ? { content } : undefined;
}

const writeToken = ({ token, logprob }: Token): Fields => compact({ token, logProbability: logprob });

/** The same back; undefined when it is in another shape than that of chat answers. */
export function encodeLogprobs(logprobs: unknown): Fields | undefined {
  const content = recordsIn(isRecord(logprobs) ? logprobs.content : undefined);
  if (content.length === 0) return undefined;
  const tops = content.map((token) => ({ candidates: recordsIn(token.top_logprobs).map(writeToken) }));
  return {
    chosenCandidates: content.map(writeToken),
    ...(tops.some(({ candidates }) => candidates.length > 0) && { topCandidates: tops }),
  };
}
