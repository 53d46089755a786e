import { type CheckResult, inLanes } from "../../../core/index.ts";

/** Calls that one check has under way at most: a long text has thousands of pieces. */
const mostAtOnce = 10;

/**
 * Asks for each, ten at a time. Rejects where one could not be asked for, unless another one `fails`: that is what it comes to
 * then, and those without an answer are null.
 */
export async function forEach<Asked, Answer>(
  all: readonly Asked[],
  ask: (one: Asked) => Promise<Answer> | null,
  fails: (answer: Answer) => boolean,
): Promise<(Answer | null)[]> {
  const asked: PromiseSettledResult<Answer | null>[] = [];
  await inLanes(all, mostAtOnce, async (one, at) => {
    [asked[at]] = await Promise.allSettled([ask(one)]);
  });
  const answers = asked.map((one) => (one.status === "fulfilled" ? one.value : null));
  const failed = asked.find((one) => one.status === "rejected");
  if (failed && !answers.some((answer) => answer !== null && fails(answer))) throw failed.reason;
  return answers;
}

/** The same for texts: null too for those that say nothing. */
export const forEachText = <Answer>(
  texts: readonly string[],
  ask: (text: string) => Promise<Answer>,
  fails: (answer: Answer) => boolean,
): Promise<(Answer | null)[]> => forEach(texts, (text) => (text === "" ? null : ask(text)), fails);

/** What services answered for the pieces of one text: all of it, and the answer that counts, the first that fails. */
export async function judged<Asked, Answer>(
  pieces: readonly Asked[],
  ask: (piece: Asked) => Promise<Answer>,
  fails: (answer: Answer) => boolean,
): Promise<{ readonly verdict: boolean; readonly data: Answer | null; readonly all: readonly Answer[] }> {
  const all = (await forEach(pieces, ask, fails)).filter((answer) => answer !== null);
  const failing = all.find(fails);
  return { verdict: failing === undefined, data: failing ?? all[0] ?? null, all };
}

/** The texts that say something, and what a service made of them, back in the places they came from. */
export function spoken(texts: readonly string[]) {
  const places = texts.flatMap((text, place) => (text === "" ? [] : [place]));
  return {
    sent: places.map((place) => texts[place] ?? ""),
    back: (made: readonly (string | null)[]): (string | null)[] =>
      texts.map((text, place) => {
        const replacement = made[places.indexOf(place)] ?? null;
        return text === "" || replacement === text ? null : replacement;
      }),
  };
}

/** The part of a result that replaces texts; empty where none is replaced. */
export const replacing = (texts: readonly (string | null)[]): Pick<CheckResult, "texts"> =>
  texts.some((text) => text !== null) ? { texts } : {};
