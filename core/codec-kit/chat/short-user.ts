import { hash } from "node:crypto";

/** More characters are refused by vendors that take the name of a user. */
const longest = 64;

/** Who the user is, for vendors that take short names: a longer one is its digest, always the same, and is reported. */
export function shortUser(user: string | undefined, report: (dropped: string) => void): string | undefined {
  if (user === undefined || user.length <= longest) return user;
  report("user");
  return hash("sha256", user);
}
