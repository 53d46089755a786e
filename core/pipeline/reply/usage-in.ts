import { holdsAnyOf } from "../../holds-any-of.ts";
import type { Format } from "../../model/format.ts";
import type { Usage } from "../../model/usage.ts";
import { memberAtEnd } from "./member-at-end.ts";

/** Made once for each name. */
const finders = new Map<string, ReturnType<typeof memberAtEnd>>();

function hasMark(bytes: Buffer, mark: Format["usageMark"]): boolean {
  if (mark === undefined) return false;
  return typeof mark === "string" ? bytes.includes(mark) : holdsAnyOf(mark, bytes);
}

/** What an answer of a vendor says that it used. It may throw where it is no JSON, and is not sure to: most of it is not looked at. */
export function usageIn(bytes: Buffer, format: Format): Usage | undefined {
  const { usageMember, usageMark } = format;
  if (usageMember === undefined || hasMark(bytes, usageMark)) return format.readUsage(JSON.parse(`${bytes}`));
  const finder = finders.get(usageMember) ?? memberAtEnd(usageMember);
  finders.set(usageMember, finder);
  return format.readUsage({ [usageMember]: finder(bytes) });
}
