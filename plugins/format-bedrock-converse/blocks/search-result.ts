import { type Fields, isRecord, type TextPart } from "../../../core/index.ts";
import { extraOf } from "../fields.ts";

/** Texts in a list, each with a line of its own; undefined where something else stands in it. */
export function linesIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  let lines = "";
  for (const one of content) {
    if (!isRecord(one) || typeof one.text !== "string") return undefined;
    lines += asLine(one.text);
  }
  return lines;
}

const asLine = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/**
 * What was found, as a text under its title and where it comes from: every format can show that. This one gets the block back, by
 * which answers cite it. Undefined for a block that is none.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_SearchResultBlock.html
 */
export function decodeSearchResult({ searchResult: found }: Readonly<Fields>): TextPart | undefined {
  const lines = isRecord(found) ? linesIn(found.content) : undefined;
  if (!isRecord(found) || lines === undefined) return undefined;
  const { title, source, citations } = found;
  const heading = [title, typeof source === "string" && source !== "" ? `(${source})` : ""]
    .filter((one) => typeof one === "string" && one !== "")
    .join(" ");
  const cited = isRecord(citations) && citations.enabled === true ? { citations } : undefined;
  return { type: "text", text: asLine(heading) + lines, ...extraOf(cited, { searchResult: found }) };
}

/** The block that a text came in, as long as it says the same; else what is said now, undefined for nothing. */
export function encodeFound(searchResult: unknown, text: string): Fields | undefined {
  if (decodeSearchResult({ searchResult })?.text === text) return { searchResult };
  return text.trim() === "" ? undefined : { text };
}
