import type { AssistantPart, ChatResponse } from "../../../core/index.ts";
import { type FormatsByName, mapFields, mapPart, withoutQuotes } from "./beside.ts";
import type { Change } from "./texts-in.ts";

type Choice = ChatResponse["choices"][number];

/** What can be read beside what an answer says, and the answer with other texts in their places. */
export class BesideAnswer {
  readonly texts: readonly string[];
  /** The texts by where they stand. Those that came in pieces are one, where they began. */
  readonly #places = new Map<string, string>();

  constructor(response: ChatResponse, formats: FormatsByName) {
    const choices = response.choices.map((choice) => unquoted(choice, formats));
    mapped({ ...response, choices }, (text, place) => {
      this.#places.set(place, (this.#places.get(place) ?? "") + text);
      return text;
    });
    this.texts = [...this.#places.values()];
  }

  /** The answer, which may say something else by now, with other texts beside it; null keeps one. */
  changed(response: ChatResponse, replaced: readonly (string | null)[]): ChatResponse {
    if (replaced.every((text) => text === null)) return response;
    const changes = new Map([...this.#places.keys()].map((place, at) => [place, replaced[at] ?? null]));
    const begun = new Set<string>();
    return mapped(response, (text, place) => {
      const next = changes.get(place) ?? null;
      if (next === null) return text;
      const begins = !begun.has(place);
      begun.add(place);
      return begins ? next : "";
    });
  }
}

/** What repeats the answer is no text of its own. */
const unquoted = (choice: Choice, formats: FormatsByName): Choice =>
  choice.extra ? { ...choice, extra: withoutQuotes(choice.extra, formats) } : choice;

function mapped(response: ChatResponse, change: Change): ChatResponse {
  const { choices, extra } = response;
  return {
    ...response,
    choices: choices.map((choice) => mappedChoice(choice, change)),
    ...(extra && { extra: mapFields(extra, (text, place) => change(text, place)) }),
  };
}

function mappedChoice(choice: Choice, change: Change): Choice {
  const { index, extra } = choice;
  const within =
    (where: string | number): Change =>
    (text, place) =>
      change(text, `${index} ${where} ${place}`);
  const content = choice.content.map((part, at): AssistantPart => {
    const pieces = part.type === "opaque" && part.goesOn === true;
    return mapPart(part, within(pieces ? part.format : at));
  });
  return { ...choice, content, ...(extra && { extra: mapFields(extra, within("end")) }) };
}
