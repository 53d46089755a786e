import {
  type AssistantPart,
  type Fields,
  GatewayError,
  isRecord,
  proofChunks,
  type StreamChunk,
} from "../../../core/index.ts";
import { blockFormat, decodeBlocks } from "../request/decode-blocks.ts";
import { blockPart, type OpenChoice } from "./open-choice.ts";

/** Whether there was text in the blocks: `content` of the same delta repeats it then. */
export function decodeBlockDeltas(
  open: OpenChoice,
  { content, content_blocks: blocks }: Fields,
  logprobs: unknown,
  chunks: StreamChunk[],
): boolean {
  const choice = open.index;
  let mirrored = false;
  for (const block of Array.isArray(blocks) ? blocks : []) {
    if (!isRecord(block) || !isRecord(block.delta)) continue;
    const { delta } = block;
    const index = typeof block.index === "number" ? block.index : 0;
    if (typeof delta.type === "string" && delta.type !== "text" && delta.type !== "thinking") {
      const value = wholeBlock(delta, blockFormat);
      if (value) chunks.push({ type: "part", choice, part: blockPart(open, index), value });
      continue;
    }
    if (typeof delta.thinking === "string" && delta.thinking !== "")
      chunks.push({ type: "thinking-delta", choice, part: blockPart(open, index), text: delta.thinking });
    if (typeof delta.signature === "string")
      chunks.push(...proofChunks(choice, blockPart(open, index), delta.signature, blockFormat));
    if (typeof delta.data === "string") {
      const value = { type: "redacted-thinking", data: delta.data } as const;
      chunks.push({ type: "part", choice, part: blockPart(open, index), value });
    }
    if (typeof delta.text === "string" && (content || !isTold(open, index))) {
      mirrored = true;
      const measured = logprobs === undefined ? {} : { logprobs };
      if (delta.text !== "" || logprobs !== undefined)
        chunks.push({ type: "text-delta", choice, part: blockPart(open, index), text: delta.text, ...measured });
    }
    const citations = delta.citation === undefined ? delta.citations : [delta.citation];
    if (Array.isArray(citations))
      chunks.push({ type: "text-delta", choice, part: citedPart(open, index), text: "", citations });
  }
  return mirrored;
}

/** A block that comes in one piece: an image, what a server tool found. */
export function wholeBlock(wire: Fields, unknownFormat: string): AssistantPart | undefined {
  try {
    return decodeBlocks([wire], "content", unknownFormat)[0];
  } catch (cause) {
    throw new GatewayError("malformed_frame", "A stream frame holds a block of the wrong shape.", {}, { cause });
  }
}

/** A block of which only citations are streamed is the text that came in `content`. */
function citedPart(open: OpenChoice, index: number): number {
  isTold(open, index);
  return blockPart(open, index);
}

/** Whether a block that is new, without text in `content` beside it, is the text that came in `content` alone so far. */
function isTold({ parts, blocks }: OpenChoice, index: number): boolean {
  const plain = parts.get("content");
  if (plain === undefined || blocks.has(index) || [...blocks.values()].includes(plain)) return false;
  blocks.set(index, plain);
  return true;
}
