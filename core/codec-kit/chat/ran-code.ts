import type { AssistantPart, RanCode } from "../../model/content.ts";

/** Code that a vendor ran, or what came of it, as text. */
export function ranCodeText({ code, language = "", output }: RanCode): string {
  const fenced = (kind: string, text: string) => `\`\`\`${kind}\n${text.replace(/\n$/, "")}\n\`\`\``;
  return [code === undefined ? [] : fenced(language, code), output === undefined ? [] : fenced("", output)]
    .flat()
    .join("\n\n");
}

/** What code that was run is joined with, where there is more than one text of it. */
export const betweenRuns = "\n\n";

/**
 * The parts of an answer for a format without a place for code that a vendor ran: it is left out where anything else was said,
 * and told as text where the answer would be empty.
 */
export function withRanCode(content: readonly AssistantPart[]): readonly AssistantPart[] {
  const told = content.flatMap((part) => (part.type === "opaque" && part.ran ? [ranCodeText(part.ran)] : []));
  if (told.length === 0 || content.some(isSaid)) return content;
  return [...content, { type: "text", text: told.join(betweenRuns) }];
}

const silent: ReadonlySet<AssistantPart["type"]> = new Set(["opaque", "thinking", "redacted-thinking"]);
const isSaid = ({ type }: AssistantPart): boolean => !silent.has(type);
