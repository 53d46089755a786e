import type { ChatResponse } from "../../model/chat.ts";
import type { CompletionResponse } from "../../model/completion.ts";
import type { AssistantPart } from "../../model/content.ts";
import type { StreamChunk } from "../../model/stream.ts";

/** Pieces a replayed text is cut into, in UTF-16 units (providers.md section 1.8). */
const pieceLength = 500;

/** A whole answer as the stream it could have been: for cached answers, and providers that do not stream. */
export function* chunksOf(response: ChatResponse | CompletionResponse): Generator<StreamChunk> {
  const { id, model, created, extra } = response;
  yield {
    type: "start",
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(created !== undefined && { created }),
    ...(extra && { extra }),
  };
  for (const choice of response.choices) {
    const content: readonly AssistantPart[] =
      "content" in choice ? choice.content : choice.text === "" ? [] : [{ type: "text", text: choice.text }];
    let logprobs = choice.logprobs;
    for (const [part, value] of content.entries()) {
      for (const chunk of chunksOfPart(value, choice.index, part)) {
        if (chunk.type === "text-delta" && logprobs !== undefined) {
          yield { ...chunk, logprobs };
          logprobs = undefined;
        } else yield chunk;
      }
    }
    const { finishReason: reason, rawFinishReason: rawReason } = choice;
    const stopSequence = "stopSequence" in choice ? choice.stopSequence : undefined;
    yield {
      type: "finish",
      choice: choice.index,
      reason,
      ...(rawReason !== undefined && { rawReason }),
      ...(stopSequence !== undefined && { stopSequence }),
      ...("content" in choice && choice.extra && { extra: choice.extra }),
    };
  }
  if ("moderation" in response && response.moderation) yield { type: "moderation", moderation: response.moderation };
  if (response.usage) yield { type: "usage", usage: response.usage };
}

function* chunksOfPart(value: AssistantPart, choice: number, part: number): Generator<StreamChunk> {
  switch (value.type) {
    case "text": {
      let extra = value.extra && { extra: value.extra };
      for (const text of pieces(value.text)) {
        yield { type: "text-delta", choice, part, text, ...extra };
        extra = undefined;
      }
      if (value.citations) yield { type: "text-delta", choice, part, text: "", citations: value.citations, ...extra };
      break;
    }
    case "thinking": {
      let extra = value.extra && { extra: value.extra };
      for (const text of pieces(value.text)) {
        yield { type: "thinking-delta", choice, part, text, ...extra };
        extra = undefined;
      }
      // Of thinking that may not be read its format knows more all the same: the id that its proof was given for.
      if (extra) yield { type: "thinking-delta", choice, part, text: "", ...extra };
      const { signature, signer } = value;
      if (signature !== undefined)
        yield { type: "thinking-signature", choice, part, signature, ...(signer !== undefined && { signer }) };
      break;
    }
    case "refusal": {
      let extra = value.extra && { extra: value.extra };
      for (const text of pieces(value.text)) {
        yield { type: "refusal-delta", choice, part, text, ...extra };
        extra = undefined;
      }
      break;
    }
    case "tool-call": {
      const { id, name, custom, extra } = value;
      yield {
        type: "tool-call-start",
        choice,
        part,
        id,
        name,
        ...(custom && { custom }),
        ...(extra && { extra }),
      };
      if (value.arguments !== "") yield { type: "tool-call-delta", choice, part, arguments: value.arguments };
      break;
    }
    default:
      yield { type: "part", choice, part, value };
  }
}

/** Cuts text without separating the halves of a surrogate pair. */
function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + pieceLength, text.length);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    yield text.slice(at, end);
    at = end;
  }
}
