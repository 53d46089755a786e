import { expect, it } from "vitest";
import { Memory } from "./memory.ts";

const conversation = (size: number) => ({ previous: undefined, items: "x".repeat(size) });

it("forgets the oldest first, and does not keep what alone is too much", () => {
  const memory = new Memory(100);
  const known = () => ["a", "b", "c", "d"].filter((id) => memory.find(id));
  for (const id of ["a", "b"]) memory.keep(id, conversation(50));
  expect(known()).toEqual(["a", "b"]);
  memory.keep("a", conversation(40));
  memory.keep("c", conversation(30));
  expect(known()).toEqual(["a", "c"]);
  memory.keep("d", conversation(101));
  expect(known()).toEqual(["a", "c"]);
  expect(memory.find(undefined)).toBeUndefined();
});
