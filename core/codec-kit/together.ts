/**
 * The members of two objects in one; where both have one, that of the second. On Node 20 a literal that goes on behind a spread has
 * a hidden class of its own for each object that it makes (decision 0038), and `Object.assign` takes a member `__proto__` for a
 * prototype.
 */
export const together = <One extends object, Other extends object>(one: One, other: Other): One & Other =>
  Object.hasOwn(one, "__proto__") || Object.hasOwn(other, "__proto__")
    ? { ...one, ...other }
    : Object.assign({}, one, other);
