import { expect, it } from "vitest";
import { JoinedNames } from "./joined-names.ts";

it("puts two parts together, however many there were", () => {
  const names = new JoinedNames(3);
  for (let time = 0; time < 3; time++)
    for (const first of ["a", "b", ""])
      for (const second of ["x", "y", "", "z".repeat(1000)])
        expect(names.of(first, second)).toBe(`${first}\n${second}`);
});
