import {
  type AssistantPart,
  type ContentPart,
  type Extra,
  type Fields,
  type Format,
  isRecord,
  type OpaquePart,
  type StreamChunk,
  type ToolResultPart,
} from "../../../core/index.ts";
import { type Change, mapTexts } from "./texts-in.ts";

/**
 * What can be read beside what was said: code that the vendor ran and what came of it, other blocks that only one format has,
 * sources that are quoted, transcripts. Thinking is not among it, nor are the words of the answer itself where they are told
 * again.
 */

/** Formats by their names: what of their extras repeats an answer, they know. */
export type FormatsByName = Pick<ReadonlyMap<string, Pick<Format, "withoutQuotes">>, "get">;

/** A part with other texts beside what it says. */
export function mapPart<Part extends AssistantPart | ContentPart | ToolResultPart>(part: Part, change: Change): Part;
export function mapPart(
  part: AssistantPart | ContentPart | ToolResultPart,
  change: Change,
): AssistantPart | ContentPart | ToolResultPart {
  switch (part.type) {
    case "opaque":
      return mapOpaque(part, change);
    case "thinking":
    case "redacted-thinking":
      return part;
    default:
      return mapOwner(part, change);
  }
}

/** The code of a block, and what came of it, are in words of other formats what they are in its own. */
export function mapOpaque(part: OpaquePart, change: Change): OpaquePart {
  const changed: [string, string][] = [];
  const value = mapTexts(part.value, (text, place) => {
    const next = change(text, place);
    if (next !== text && text !== "") changed.push([text, next]);
    return next;
  });
  const follow = (told: string | undefined) =>
    changed.reduce((all, [text, next]) => all?.replaceAll(text, () => next), told);
  if (changed.length === 0) return part;
  if (!part.ran) return { ...part, value };
  const { code, output, ...ran } = part.ran;
  return {
    ...part,
    value,
    ran: {
      ...ran,
      ...(code !== undefined && { code: follow(code) ?? "" }),
      ...(output !== undefined && { output: follow(output) ?? "" }),
    },
  };
}

interface Owner {
  readonly extra?: Extra;
  readonly citations?: readonly unknown[];
}

function mapOwner<Of extends Owner>(owner: Of, change: Change): Of {
  const { citations, extra } = owner;
  if (!citations && !extra) return owner;
  const cited = citations && mapTexts(citations, change, "citations");
  const noted = extra && mapNotes(extra, change);
  if (cited === citations && noted === extra) return owner;
  return { ...owner, ...(cited && { citations: cited }), ...(noted && { extra: noted }) };
}

/** What is said of a choice, or of an answer as a whole. What else a format remembers with it repeats the request. */
export const mapFields = (extra: Extra, change: Change): Extra => mapExtra(extra, change, (note) => note);

/** Formats remember more than fields with a part, and would write it back. How the part was written is not told as such. */
const mapNotes = (extra: Extra, change: Change): Extra =>
  mapExtra(extra, change, (note, name) => (name === "written" ? note : mapTexts(note, change, name)));

/** `mapNote` is given what of a note is none of the fields: those may be remembered once more, where they stood. */
function mapExtra(extra: Extra, change: Change, mapNote: (note: Fields, name: string) => Fields): Extra {
  const { format, fields: before, ...notes } = extra;
  const fields = mapTexts(before, change, "fields");
  let isSame = fields === before;
  const mapped = Object.entries(notes).map(([name, note]: [string, unknown]) => {
    if (!isRecord(note)) return [name, note];
    const own = Object.fromEntries(
      Object.entries(note).filter(([field, value]) => !(field in before && before[field] === value)),
    );
    const told = mapNote(own, name);
    isSame &&= told === own;
    const again = Object.keys(note).filter((field) => field in before && before[field] === note[field]);
    const repeated = Object.fromEntries(again.map((field) => [field, fields[field]]));
    return [name, { ...note, ...told, ...repeated }];
  });
  return isSame ? extra : { ...Object.fromEntries(mapped), format, fields };
}

/** An extra without what of it repeats the words of the answer. */
export function withoutQuotes(extra: Extra, formats: FormatsByName): Extra {
  const fields = formats.get(extra.format)?.withoutQuotes?.(extra.fields) ?? extra.fields;
  return fields === extra.fields ? extra : { ...extra, fields };
}

/** A chunk with other texts beside what it says. */
export function mapChunk(chunk: StreamChunk, change: Change): StreamChunk {
  switch (chunk.type) {
    case "part": {
      const value = mapPart(chunk.value, change);
      return value === chunk.value ? chunk : { ...chunk, value };
    }
    case "text-delta":
    case "refusal-delta":
    case "tool-call-start":
      return mapOwner(chunk, change);
    case "start":
    case "finish": {
      const extra = chunk.extra && mapFields(chunk.extra, change);
      return extra && extra !== chunk.extra ? { ...chunk, extra } : chunk;
    }
    default:
      return chunk;
  }
}
