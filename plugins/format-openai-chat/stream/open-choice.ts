import type { ChatResponse, Fields } from "../../../core/index.ts";
import { callIds } from "../response/call-ids.ts";
import { ToolCallDecoder } from "./decode-tool-calls.ts";

/** A choice of an answer that is streamed, as far as it came. */
export interface OpenChoice {
  readonly index: number;
  readonly tools: ToolCallDecoder;
  readonly nextPart: () => number;
  /** Parts that are streamed in a field of the delta: `content`, `refusal`, `reasoning`. */
  readonly parts: Map<string, number>;
  /** Parts that are streamed in `content_blocks`, by the index of the block. */
  readonly blocks: Map<number, number>;
  /** Messages of the choice, by their index, that are what a tool of the vendor's found. */
  readonly found: Set<number>;
  finished: boolean;
}

/** The choice a frame speaks of, begun with its first frame. */
export function choiceOf(
  choices: Map<number, OpenChoice>,
  wire: Fields,
  head: Pick<ChatResponse, "id" | "created">,
): OpenChoice {
  const index = typeof wire.index === "number" ? wire.index : 0;
  const known = choices.get(index);
  if (known) return known;
  let parts = 0;
  const nextPart = () => parts++;
  const choice: OpenChoice = {
    index,
    nextPart,
    tools: new ToolCallDecoder(index, nextPart, callIds(head.id ?? head.created)),
    parts: new Map(),
    blocks: new Map(),
    found: new Set(),
    finished: false,
  };
  choices.set(index, choice);
  return choice;
}

/** The part that a field of the delta is streamed to. */
export const partOf = ({ parts, nextPart }: OpenChoice, field: string): number => partIn(parts, field, nextPart);

/** The part that a block is streamed to. */
export const blockPart = ({ blocks, nextPart }: OpenChoice, index: number): number => partIn(blocks, index, nextPart);

function partIn<Key>(parts: Map<Key, number>, key: Key, nextPart: () => number): number {
  const known = parts.get(key);
  if (known !== undefined) return known;
  const part = nextPart();
  parts.set(key, part);
  return part;
}
