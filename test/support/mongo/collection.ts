import { calculateObjectSize, type Document, deserialize, ObjectId, serialize } from "bson";
import { find, Query, update } from "mingo";

export interface Index {
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: boolean;
  readonly expireAfterSeconds?: number;
  readonly partialFilterExpression?: Document;
}

/** What happened to a document, for those who watch. */
export interface Written {
  readonly operationType: "insert" | "update" | "replace" | "delete";
  readonly documentKey: Document;
  readonly fullDocument?: Document;
  readonly updateDescription?: { readonly updatedFields: Document; readonly removedFields: string[] };
}

export class CommandError extends Error {
  readonly code: number;
  readonly details: Document;
  constructor(code: number, message: string, details: Document = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

const copy = (document: Document): Document => deserialize(serialize(document));
const keyText = (value: unknown): string => Buffer.from(serialize({ value })).toString("base64");

/** Documents with unique indexes; queries and updates are those of mingo. */
export class Collection {
  readonly indexes: Index[] = [{ name: "_id_", key: { _id: 1 }, unique: true }];
  readonly #documents = new Map<string, Document>();
  readonly #tell: (written: Written) => void;

  constructor(tell: (written: Written) => void) {
    this.#tell = tell;
  }

  find({ filter = {}, sort, skip = 0, limit = 0, projection }: Document): Document[] {
    let cursor = find<Document>([...this.#documents.values()], filter, projection as Document | undefined);
    if (sort) cursor = cursor.sort(sort);
    if (skip) cursor = cursor.skip(skip);
    if (limit) cursor = cursor.limit(Math.abs(limit));
    return cursor.all().map(copy);
  }

  all(): Document[] {
    return [...this.#documents.values()].map(copy);
  }

  stats(): Document {
    const sizes = [...this.#documents.values()].map((document) => calculateObjectSize(document));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    return { size, count: sizes.length, ...(sizes.length > 0 && { avgObjSize: Math.floor(size / sizes.length) }) };
  }

  insert(given: Document): void {
    const document = "_id" in given ? copy(given) : { _id: new ObjectId(), ...copy(given) };
    this.#checkUnique(document, undefined);
    this.#documents.set(keyText(document._id), document);
    this.#tell({ operationType: "insert", documentKey: { _id: document._id }, fullDocument: copy(document) });
  }

  /** Changes what is found, or with `upsert` makes it. */
  update({ q, u, upsert = false, multi = false, arrayFilters, sort }: Document) {
    const found = this.find({ filter: q, sort, limit: multi ? 0 : 1 });
    const changed = found.map((before) => ({ before, after: this.#change(before, q, u, arrayFilters) }));
    if (changed.length > 0 || !upsert) return { matched: changed.length, changed, upserted: undefined };
    const seed: Document = {};
    for (const [field, value] of Object.entries(q as Document))
      if (!field.startsWith("$") && !isOperators(value)) seed[field] = value;
    const { $setOnInsert = {}, ...rest } = u as Document;
    const made = changedBy({ ...seed, ...$setOnInsert }, {}, rest, arrayFilters);
    if (!("_id" in made)) made._id = new ObjectId();
    this.insert(made);
    return { matched: 0, changed: [], upserted: made };
  }

  delete({ q, limit = 0 }: Document): Document[] {
    const found = this.find({ filter: q, limit });
    for (const { _id } of found) {
      this.#documents.delete(keyText(_id));
      this.#tell({ operationType: "delete", documentKey: { _id } });
    }
    return found;
  }

  createIndex(index: Index): void {
    if (this.indexes.some(({ name }) => name === index.name)) return;
    this.indexes.push(index);
    try {
      for (const document of this.#documents.values()) this.#checkUnique(document, document._id);
    } catch (error) {
      this.indexes.pop();
      throw error;
    }
  }

  /** Deletes what an index says is too old, as the real thing does once a minute. */
  removeExpired(now: number): void {
    for (const { key, expireAfterSeconds } of this.indexes) {
      const [field] = Object.keys(key);
      if (expireAfterSeconds === undefined || field === undefined) continue;
      this.delete({ q: { [field]: { $type: "date", $lte: new Date(now - expireAfterSeconds * 1000) } } });
    }
  }

  #change(before: Document, q: Document, u: Document, arrayFilters?: Document[]): Document {
    const after = changedBy(before, q, u, arrayFilters);
    this.#checkUnique(after, before._id);
    this.#documents.set(keyText(before._id), after);
    const replaced = !isOperators(u);
    const updatedFields = Object.fromEntries(
      Object.entries(after).filter(([field, value]) => keyText(value) !== keyText(before[field])),
    );
    const removedFields = Object.keys(before).filter((field) => !(field in after));
    this.#tell({
      operationType: replaced ? "replace" : "update",
      documentKey: { _id: before._id },
      ...(replaced ? { fullDocument: copy(after) } : { updateDescription: { updatedFields, removedFields } }),
    });
    return copy(after);
  }

  #checkUnique(document: Document, own: unknown): void {
    for (const { name, key, unique, partialFilterExpression } of this.indexes) {
      if (!unique && name !== "_id_") continue;
      const applies = (one: Document) => !partialFilterExpression || new Query(partialFilterExpression).test(one);
      if (!applies(document)) continue;
      const wanted = new Set(entriesOf(key, document));
      for (const other of this.#documents.values()) {
        if ((own !== undefined && keyText(other._id) === keyText(own)) || !applies(other)) continue;
        if (entriesOf(key, other).some((entry) => wanted.has(entry)))
          throw new CommandError(11000, `E11000 duplicate key error index: ${name}`, { keyPattern: key });
      }
    }
  }
}

const isOperators = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).some((name) => name.startsWith("$"));

function changedBy(before: Document, q: Document, u: Document, arrayFilters?: Document[]): Document {
  if (!isOperators(u)) return { _id: before._id, ...copy(u) };
  const { $setOnInsert: _, ...operators } = u;
  const after = copy(before);
  update(after, operators, arrayFilters ?? [], q);
  return after;
}

/** What an index holds of a document: with a list in a field, an entry for each of its values. */
function entriesOf(key: Index["key"], document: Document): string[] {
  let entries = [""];
  for (const field of Object.keys(key)) {
    const value: unknown = field
      .split(".")
      .reduce<unknown>((part, name) => (part as Document | undefined)?.[name], document);
    const values =
      Array.isArray(value) && value.length > 0 ? value : [Array.isArray(value) ? undefined : (value ?? null)];
    entries = entries.flatMap((entry) => values.map((one) => `${entry} ${keyText(one)}`));
  }
  return entries;
}
