import { blocks, list, must, type Wire } from "../conformance/conversations/speaker.ts";

/** How a request begins: caches of prompts go by it, byte for byte. */

const listNames = ["messages", "input", "contents"] as const;

/** Where the client wants a cache to end moves on with the conversation, and is no part of the prompt. */
const isMarker = (value: unknown): boolean => typeof value === "object" && value !== null && "cachePoint" in value;

function unmarked(name: string, value: unknown): unknown {
  if (name === "cache_control") return undefined;
  return Array.isArray(value) ? value.filter((one) => !isMarker(one)) : value;
}

const written = (value: unknown): string => JSON.stringify(value, unmarked) ?? "";

/** Claude Code has a text as a block where a marker is to stand, and the same text as such later. */
const asBlocks = (message: Wire | undefined): Wire => ({ ...message, content: blocks(message?.content) });

/** What a prompt is made of besides its messages; the rest of a request is about the answer. */
const headNames = ["system", "instructions", "systemInstruction"] as const;

const toolsIn = ({ tools, toolConfig }: Wire): readonly Wire[] => {
  const all = list(tools ?? (toolConfig as Wire | undefined)?.tools);
  return all.flatMap((tool) => (tool.functionDeclarations ? list(tool.functionDeclarations) : tool));
};

interface How {
  /** Tools that were found meanwhile come on top. */
  readonly grows: boolean;
  /** The request passes through: what the client writes anew is its own affair. */
  readonly isOwn: boolean;
  /** Instructions that are given on the way stand behind those in front. */
  readonly instructs: boolean;
}

/** Throws where a request does not begin as the one before it did. */
export function checkBeginning(before: Wire, now: Wire, { grows, isOwn, instructs }: How): void {
  for (const name of headNames) {
    const [old, same] = [written(before[name]), written(now[name])];
    const isSame = old === same || (instructs && same.startsWith(old.replace(/[\]}]+$/, "")));
    must(isSame, "instructions stay", { old, now: same });
  }
  const [old, tools] = [toolsIn(before).map(written), toolsIn(now).map(written)];
  const left = grows ? tools.filter((one) => old.includes(one)) : tools;
  must(left.join() === old.join(), "tools stay, in their order", { old, tools });
  const name = listNames.find((one) => one in before) ?? "messages";
  for (const [at, message] of list(before[name]).entries()) {
    const next = list(now[name])[at];
    const [old, same] = isOwn ? [asBlocks(message), asBlocks(next)] : [message, next];
    must(written(old) === written(same), "messages stay as they were", { at, old: message, now: next });
  }
}
