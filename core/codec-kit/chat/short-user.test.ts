import { expect, it } from "vitest";
import { shortUser } from "./short-user.ts";

it.each<[string | undefined, string | undefined, readonly string[]]>([
  [undefined, undefined, []],
  ["u-7", "u-7", []],
  ["u".repeat(64), "u".repeat(64), []],
  ["u".repeat(65), expect.stringMatching(/^[0-9a-f]{64}$/), ["user"]],
])("the user %s is %s to those who take short names", (user, wanted, lost) => {
  const reported: string[] = [];
  expect(shortUser(user, (name) => reported.push(name))).toEqual(wanted);
  expect(shortUser(user, () => undefined)).toBe(shortUser(user, () => undefined));
  expect(reported).toEqual(lost);
});
