import { type Extra, type Fields, writeJson } from "../../../core/index.ts";
import { isOwn } from "../extra.ts";

/** What other formats say of how an answer ended that is about the whole of it: the trace of a guardrail (providers.md section 9.4). */
const names: readonly string[] = ["trace"];

/** That of one choice, as it stands beside the choices; never for strict clients, who do not know it. */
export function besideChoices(extra: Extra | undefined, strict: boolean): Fields {
  if (strict || !extra || isOwn(extra)) return {};
  return Object.fromEntries(names.filter((name) => name in extra.fields).map((name) => [name, extra.fields[name]]));
}

/** The same as text behind the list of choices of a frame: `,"trace":{…}`, or nothing. */
export function membersBeside(extra: Extra | undefined, strict: boolean): string {
  const text = writeJson(besideChoices(extra, strict));
  return text === "{}" ? "" : `,${text.slice(1, -1)}`;
}
