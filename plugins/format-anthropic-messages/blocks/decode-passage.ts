import { type ContentPart, type Fields, isRecord, leftovers } from "../../../core/index.ts";
import { decodeCache, extraOf } from "../fields.ts";
import { inside, type Place, read } from "../read.ts";
import { blockWire, fieldsOf, passageWire } from "../wire.ts";
import { decodeImage, decodeText } from "./decode-plain.ts";

/**
 * Search results, and documents made of content blocks, are texts and images under a heading: every format can show
 * them. This one gets the block back, by which answers cite it. Undefined for a block that is none of them, or that
 * holds what other formats cannot show.
 * https://platform.claude.com/docs/en/build-with-claude/search-results
 * https://platform.claude.com/docs/en/build-with-claude/citations#custom-content-documents
 */
export function decodePassage(block: Readonly<Fields>, place: Place): readonly ContentPart[] | undefined {
  const blocks = blocksIn(block, place);
  const shown = blocks && shownIn(blocks.list, blocks.place);
  return shown && marked(underHeading(headingOf(block), shown), block);
}

interface Blocks {
  readonly list: readonly unknown[];
  readonly place: Place;
}

/** The blocks a passage is made of. A text is shorthand for one. */
function blocksIn({ type, content, source }: Readonly<Fields>, place: Place): Blocks | undefined {
  if (type === "search_result")
    return Array.isArray(content) ? { list: content, place: inside(place, "content") } : undefined;
  if (!isRecord(source) || source.type !== "content") return undefined;
  const list = typeof source.content === "string" ? [{ type: "text", text: source.content }] : source.content;
  return Array.isArray(list) ? { list, place: inside(inside(place, "source"), "content") } : undefined;
}

/** Undefined where one of the blocks is neither text nor an image. */
function shownIn(blocks: readonly unknown[], place: Place): readonly ContentPart[] | undefined {
  const parts: ContentPart[] = [];
  for (const [at, block] of blocks.entries()) {
    const spot = inside(place, at);
    const wire = read(blockWire, block, spot);
    if (wire.type !== "text" && wire.type !== "image") return undefined;
    const part = wire.type === "text" ? decodeText(wire, spot) : decodeImage(wire, spot);
    if (part.type === "opaque") return undefined;
    parts.push(part.type === "text" ? { ...part, text: asLine(part.text) } : part);
  }
  return parts;
}

/** Some vendors are given all texts of a message as one: each ends its line. */
const asLine = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** The title, with where the passage comes from, and what is said of a document. */
function headingOf({ title, source, context }: Readonly<Fields>): string {
  const named = [title, isSaid(source) ? `(${source})` : ""].filter(isSaid).join(" ");
  return [named, context].filter(isSaid).map(asLine).join("");
}

const isSaid = (value: unknown): value is string => typeof value === "string" && value !== "";

function underHeading(heading: string, parts: readonly ContentPart[]): readonly ContentPart[] {
  if (heading === "") return parts;
  const [first, ...others] = parts;
  if (first?.type !== "text") return [{ type: "text", text: heading }, ...parts];
  return [{ ...first, text: heading + first.text }, ...others];
}

const known = fieldsOf(passageWire);

/** The first part remembers the block, and what of it others cannot carry; the last one ends what is to be cached. */
function marked(parts: readonly ContentPart[], block: Readonly<Fields>): readonly ContentPart[] | undefined {
  if (parts.length === 0) return undefined;
  const { citations, cache_control: marker } = block;
  const { cache, rest } = decodeCache(isRecord(marker) ? marker : undefined);
  const cited = isRecord(citations) && citations.enabled === true && { citations };
  const fields = { ...leftovers(block, known), ...cited, ...rest };
  return parts.map((part, at) => ({
    ...part,
    ...(at === 0 && extraOf({ ...("extra" in part && part.extra?.fields), ...fields }, { passage: block })),
    ...(at === parts.length - 1 && cache && { cache }),
  }));
}
