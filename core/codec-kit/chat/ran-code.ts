import type { AssistantPart, OpaquePart, RanCode } from "../../model/content.ts";

const between = "\n\n";

const fenced = (kind: string, text: string): string => `\`\`\`${kind}\n${text.replace(/\n$/, "")}\n\`\`\``;

function textOf({ code, language = "", output }: RanCode): string {
  const pieces: string[] = [];
  if (code !== undefined) pieces.push(fenced(language, code));
  if (output !== undefined && output !== "") pieces.push(fenced("", output));
  return pieces.join(between);
}

/** Code that a vendor ran in an answer, and what came of it, as one text. */
export class RanText {
  /** Empty where none was run. */
  text = "";

  add({ ran }: Pick<OpaquePart, "ran">): void {
    const told = ran ? textOf(ran) : "";
    if (told !== "") this.text += (this.text === "" ? "" : between) + told;
  }
}

/**
 * The parts of an answer for a format without a place for code that a vendor ran: it is left out where anything else was said,
 * and told as text where the answer would be empty. Images and sounds say something to those only who are shown them.
 */
export function withRanCode(content: readonly AssistantPart[], showsMedia = true): readonly AssistantPart[] {
  const ran = new RanText();
  for (const part of content) if (part.type === "opaque") ran.add(part);
  const isSaid = ({ type }: AssistantPart): boolean => !silent.has(type) && (showsMedia || !media.has(type));
  return ran.text === "" || content.some(isSaid) ? content : [...content, { type: "text", text: ran.text }];
}

const silent: ReadonlySet<AssistantPart["type"]> = new Set(["opaque", "thinking", "redacted-thinking"]);
const media: ReadonlySet<AssistantPart["type"]> = new Set(["image", "audio"]);
