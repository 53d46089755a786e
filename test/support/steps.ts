/** Methods of lists that call what they are given for each member they come to. */
const asking = [
  "map",
  "filter",
  "some",
  "every",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "flatMap",
  "forEach",
];
/** What makes an iterator, and where. */
const iterating: readonly (readonly [object, readonly PropertyKey[]])[] = [
  [Array.prototype, [Symbol.iterator, "entries", "keys"]],
  [Map.prototype, [Symbol.iterator, "entries", "values", "keys"]],
  [Set.prototype, [Symbol.iterator, "values"]],
];
/** Methods of lists that go through them by themselves, and through how many members. */
const searching: Readonly<Record<string, (list: readonly unknown[], found: unknown) => number>> = {
  includes: ({ length }) => length,
  indexOf: ({ length }, at) => (at === -1 ? length : Number(at) + 1),
  lastIndexOf: ({ length }, at) => (at === -1 ? length : length - Number(at)),
  slice: (_, part) => (Array.isArray(part) ? part.length : 0),
  concat: (_, both) => (Array.isArray(both) ? both.length : 0),
  with: ({ length }) => length,
  join: ({ length }) => length,
};

type Method = (this: unknown, ...given: unknown[]) => unknown;

/**
 * How many members of lists, maps and sets are come to while something runs, however long that takes. It must not wait: whatever else
 * would run meanwhile would be counted too.
 */
export function stepsOf(run: () => void): number {
  let steps = 0;
  const undo: (() => void)[] = [];
  const replace = (holder: object, name: PropertyKey, wrapped: (method: Method) => Method): void => {
    const known = Object.getOwnPropertyDescriptor(holder, name);
    if (typeof known?.value !== "function") throw new Error(`There is no method ${String(name)}.`);
    Object.defineProperty(holder, name, { ...known, value: wrapped(known.value as Method) });
    undo.push(() => Object.defineProperty(holder, name, known));
  };
  const counted = (inner: Iterator<unknown>): IterableIterator<unknown> => ({
    next() {
      steps++;
      return inner.next();
    },
    [Symbol.iterator]() {
      return this;
    },
  });
  const prototype = Array.prototype;
  for (const name of asking)
    replace(
      prototype,
      name,
      (method) =>
        function (ask, self) {
          return method.call(this, (...about: unknown[]) => {
            steps++;
            return (ask as Method).apply(self, about);
          });
        },
    );
  for (const name of Object.keys(searching))
    replace(
      prototype,
      name,
      (method) =>
        function (...given) {
          const found = method.apply(this, given);
          steps += searching[name]?.(this as readonly unknown[], found) ?? 0;
          return found;
        },
    );
  for (const [holder, names] of iterating)
    for (const name of names)
      replace(
        holder,
        name,
        (method) =>
          function () {
            return counted(method.call(this) as Iterator<unknown>);
          },
      );
  try {
    run();
  } finally {
    for (const back of undo.reverse()) back();
  }
  return steps;
}
