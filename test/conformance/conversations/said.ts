import { parsed, type Told, writtenArgs } from "./speaker.ts";

interface Said {
  readonly who: string;
  text: string;
  readonly calls: unknown[];
  /** Images, in some order: formats have them at results, or behind all. */
  readonly shown: string[];
}

/** What is compared: turn by turn, without white space, which formats may leave out where there is nothing else. */
export function plain(all: readonly Told[]): unknown[] {
  const turns: Said[] = [];
  for (const one of all) {
    const who = one[0] === "call" || one[0] === "model" ? "model" : "user";
    const last = turns.at(-1);
    const turn = last?.who === who ? last : { who, text: "", calls: [], shown: [] };
    if (turn !== last) turns.push(turn);
    if (one[0] === "call") turn.calls.push({ name: one[1], args: writtenOf(one[2]) });
    else if (one[0] === "result") turn.calls.push({ of: one[1], said: bare(one[2]) });
    else if (one[0] === "shown") turn.shown.push(one[1]);
    else turn.text += bare(one[1]);
    turn.shown.sort();
    if (one[0] === "result") turn.calls.sort((left, right) => placeOf(left) - placeOf(right));
  }
  return turns
    .filter(({ text, calls, shown }) => text !== "" || calls.length + shown.length > 0)
    .reduce<Said[]>(asOneSpeaker, []);
}

/** Arguments that are no object are a text where a format has a text for them. */
const writtenOf = (args: unknown): unknown => (typeof args === "string" ? args : parsed(writtenArgs(args)));

/** After an answer of nothing the user speaks twice. */
function asOneSpeaker(turns: Said[], next: Said): Said[] {
  const last = turns.at(-1);
  if (last?.who !== next.who || next.who !== "user") return [...turns, next];
  const [calls, shown] = [last.calls.concat(next.calls), last.shown.concat(next.shown).sort()];
  return [...turns.slice(0, -1), { ...last, text: last.text + next.text, calls, shown }];
}

const placeOf = (result: unknown): number => (result as { of: number }).of;
/** Code that was run is told as text only where nothing else was said. */
const bare = (said: string): string => said.replace(/```[^`]*```|^Shown below\.$|Result \d+:/g, "").replace(/\s/g, "");
