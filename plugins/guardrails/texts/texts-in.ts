/**
 * Texts in JSON that only one format knows, or nobody: blocks, what the vendor's own tools did, what stands beside an answer.
 * Whatever it is called, what stands under a name that is one of a text is text to whoever takes it (guardrails.md section
 * 6.1), and so is everything in what tools are called with and give back, whose names are the caller's: numbers of four digits
 * or more too, and names that are no plain word. Ids, types, addresses, bytes and proofs are none where the names are a
 * vendor's; nor is thinking, which is what it was only as it was.
 */
export function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  mapTexts(value, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** What becomes of a text. `place` says where it stands, as in `outputs.0.logs`: no other one stands there. */
export type Change = (text: string, place: string) => string;

/** The same JSON with other texts in it. Places begin with that of the value, where it has one. */
export const mapTexts = <Value>(value: Value, change: Change, place = ""): Value =>
  mapped(value, { change, place, isText: false, isFree: false, depth: deepest }) as Value;

/** No format has its texts deeper than this. What stands deeper is one text, as JSON. */
const deepest = 32;

interface Spot {
  readonly change: Change;
  readonly place: string;
  /** Its name is one of a text. */
  readonly isText: boolean;
  /** It stands in JSON whose names are the caller's. */
  readonly isFree: boolean;
  /** How much deeper is looked. */
  readonly depth: number;
}

/** What is not changed stays the same object: most of what streams carry holds nothing to be changed. */
function mapped(value: unknown, spot: Spot): unknown {
  if (typeof value === "string") return isSaid(value, spot) ? spot.change(value, spot.place) : value;
  if (typeof value === "number") return spot.isFree && isLong(value) ? mappedNumber(value, spot) : value;
  if (typeof value !== "object" || value === null) return value;
  if (spot.depth === 0) return mappedWhole(value, spot);
  return Array.isArray(value)
    ? mappedList(value, spot)
    : mappedObject(value as Readonly<Record<string, unknown>>, spot);
}

function mappedList(list: readonly unknown[], spot: Spot): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [at, one] of list.entries()) {
    const next = mapped(one, inside(spot, at));
    if (next === one) continue;
    copy ??= [...list];
    copy[at] = next;
  }
  return copy ?? list;
}

function mappedObject(fields: Readonly<Record<string, unknown>>, spot: Spot): Readonly<Record<string, unknown>> {
  let changed: Map<string, unknown> | undefined;
  let renamed: Map<string, string> | undefined;
  const { type } = fields;
  for (const name of Object.keys(fields)) {
    const one = fields[name];
    const called = spot.isFree && !isPlain(name) ? spot.change(name, `${spot.place}.${name} as a name`) : name;
    if (called !== name) {
      renamed ??= new Map();
      renamed.set(name, called);
    }
    if (typeof one !== "string" && !isLong(one) && (typeof one !== "object" || one === null)) continue;
    const next = named(spot, name, type === "text");
    if (isNone(name, one, next)) continue;
    const other = mapped(one, next);
    if (other === one) continue;
    changed ??= new Map();
    changed.set(name, other);
  }
  return changed || renamed ? fieldsWith(fields, changed, renamed) : fields;
}

/** Names that become the same are told apart by a number: no field goes. */
function fieldsWith(
  fields: Readonly<Record<string, unknown>>,
  changed: ReadonlyMap<string, unknown> | undefined,
  renamed: ReadonlyMap<string, string> | undefined,
): Readonly<Record<string, unknown>> {
  const taken = new Set(Object.keys(fields).filter((name) => !renamed?.has(name)));
  const numbers = new Map<string, number>();
  const free = (name: string): string => {
    let next = name;
    let number = numbers.get(name) ?? 1;
    while (taken.has(next)) next = `${name} ${++number}`;
    numbers.set(name, number);
    taken.add(next);
    return next;
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => {
      const next = renamed?.get(name);
      return [next === undefined ? name : free(next), changed?.has(name) ? changed.get(name) : one];
    }),
  );
}

/** A number with something else in it is none any more. */
function mappedNumber(value: number, { change, place }: Spot): unknown {
  const text = String(value);
  const next = change(text, place);
  return next === text ? value : next;
}

/** Numbers that may be somebody's: amounts and measures with a point in them are not, nor are short ones. */
const isLong = (value: unknown): value is number => Number.isInteger(value) && Math.abs(Number(value)) >= 1_000;

/** Names as programs have them. What else stands as a name (an address, a number, a sentence) says something. */
const isPlain = (name: string): boolean => plain.test(name) && name.length <= longestPlain;
const plain = /^[A-Za-z_$-]+(?:\d[A-Za-z_$-]*){0,3}$/;
const longestPlain = 40;

/** What is too deep to be looked through. */
function mappedWhole(value: object, { change, place }: Spot): unknown {
  const text = JSON.stringify(value);
  const next = change(text, place);
  if (next === text) return value;
  try {
    return JSON.parse(next);
  } catch {
    return next;
  }
}

const isSaid = (text: string, { isText, isFree }: Spot): boolean => isText || (isFree && !dataUrl.test(text));

/**
 * Whether nothing below a name is looked at. In JSON whose names are the caller's no name says that: words would hide there. Only
 * bytes are none there, and the words that tell blocks apart.
 */
function isNone(name: string, value: unknown, { isText, isFree }: Spot): boolean {
  if (!isFree) return thoughts.test(wordOf(name));
  if (isText || typeof value !== "string") return false;
  return name === "type" ? blocks.has(value) : name === "data" && value.length >= fewestBytes && base64.test(value);
}

const inside = (spot: Spot, at: number): Spot => ({ ...spot, place: `${spot.place}.${at}`, depth: spot.depth - 1 });

/** `holdsText`: the object says of itself that what it holds is text, as the source of a document does. */
function named({ change, depth, ...spot }: Spot, name: string, holdsText: boolean): Spot {
  const word = wordOf(name);
  const place = spot.place === "" ? name : `${spot.place}.${name}`;
  const isText = texts.has(word) || (holdsText && name === "data");
  return { change, place, isText, isFree: spot.isFree || free.has(word), depth: depth - 1 };
}

const wordOf = (name: string): string => (name.includes("_") ? name.replaceAll("_", "") : name).toLowerCase();

/** Names of texts, in lower case and in one. */
const texts: ReadonlySet<string> = new Set([
  ...["text", "content", "title", "description", "message", "error", "errormessage", "transcript"],
  // What was run, and what came of it.
  ...["code", "command", "commands", "diff", "lines", "logs", "output", "stderr", "stdout"],
  // What was looked for, and what was found.
  ...[
    "citedtext",
    "documenttitle",
    "filename",
    "pattern",
    "queries",
    "query",
    "quote",
    "review",
    "snippet",
    "snippets",
  ],
  ...["imagesearchqueries", "renderedcontent", "retrievalqueries", "websearchqueries"],
  ...[
    "context",
    "displayname",
    "explanation",
    "finishmessage",
    "intent",
    "reason",
    "relatedquestions",
    "revisedprompt",
  ],
]);

/** Names of JSON that is made for, or by, a tool or somebody's documents. */
const free: ReadonlySet<string> = new Set([
  ...["args", "arguments", "attributes", "document", "input", "json", "output", "response", "structuredcontent"],
  "tooloutput",
]);

const thoughts = /^(?:reasoning|thinking|thought)/;

/** Types of blocks that tools give back. */
const blocks: ReadonlySet<string> = new Set([
  ...["text", "input_text", "output_text", "json", "document", "resource", "resource_link", "exit", "timeout"],
  ...["image", "input_image", "audio", "file", "input_file", "base64", "url", "search_result"],
]);

const dataUrl = /^data:[\w.+/-]*;base64,[\w+/=-]*$/;
const base64 = /^[\w+/-]+={0,2}$/;
/** Shorter texts may be words. */
const fewestBytes = 64;
