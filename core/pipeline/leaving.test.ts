import { expect, it } from "vitest";
import { Leaving } from "./leaving.ts";

it("tells those who are there, in the order they came, and whoever comes later at once", () => {
  const leaving = new Leaving();
  const told: string[] = [];
  const listen = (name: string) => leaving.add((when) => void told.push(`${name} ${when}`));
  const forget = ["a", "b", "c", "d"].map(listen);
  // The last one, the first one, and one twice.
  for (const at of [3, 0, 0]) forget[at]?.();
  listen("e");
  leaving.tell("soon");
  listen("f");
  leaving.tell("now");
  expect(told).toEqual(["b soon", "c soon", "e soon", "f soon", "b now", "c now", "e now", "f now"]);
});

it("does not tell those whom others have taken off while they were told", () => {
  const leaving = new Leaving();
  const told: string[] = [];
  let forget = () => {};
  leaving.add(() => forget());
  forget = leaving.add(() => void told.push("taken off"));
  leaving.add(() => void told.push("last"));
  leaving.tell("now");
  expect(told).toEqual(["last"]);
});
