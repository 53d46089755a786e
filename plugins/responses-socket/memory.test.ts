import { expect, it } from "vitest";
import { Memory } from "./memory.ts";

const conversation = (size: number) => ({ previous: undefined, items: [], size });

it("forgets the oldest first, and what alone is too much", () => {
  const memory = new Memory(100);
  const known = () => ["a", "b", "c", "d"].filter((id) => memory.find(id));
  for (const id of ["a", "b"]) memory.keep(id, conversation(50));
  expect(known()).toEqual(["a", "b"]);
  memory.keep("a", conversation(40));
  memory.keep("c", conversation(30));
  expect(known()).toEqual(["a", "c"]);
  memory.keep("d", conversation(101));
  expect(known()).toEqual([]);
  expect(memory.find(undefined)).toBeUndefined();
});
