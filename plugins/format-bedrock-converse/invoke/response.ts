import {
  type CompletionResponse,
  compact,
  type Fields,
  isRecord,
  raise,
  readErrorBody,
  recordsIn,
} from "../../../core/index.ts";
import type { ChoicePlaces, Family } from "./family.ts";
import { decodeFinishReason, encodeFinishReason } from "./finish-reason.ts";
import { put, valueAt } from "./path.ts";
import { encodeUsage, usageIn } from "./usage.ts";

/** The objects that choices of an answer, or of a frame, stand in. */
export function choicesIn(wire: Readonly<Fields>, { list }: ChoicePlaces): readonly Readonly<Fields>[] {
  if (list === undefined) return [wire];
  return recordsIn(valueAt(wire, list));
}

/** The word an answer ended with. */
export function wordIn(choice: Readonly<Fields>, { reason }: ChoicePlaces): string | undefined {
  const word = valueAt(choice, reason);
  return typeof word === "string" && word !== "" ? word : undefined;
}

export function decodeResponse(family: Family, body: unknown): CompletionResponse {
  const wire = isRecord(body) ? body : {};
  const choices = choicesIn(wire, family.answer);
  const texts = choices.map((choice) => valueAt(choice, family.answer.text));
  if (texts.length === 0 || !texts.every((text) => typeof text === "string"))
    return raise(
      "upstream_invalid",
      `The answer is no text of the ${family.name} models: ${readErrorBody(body)?.message ?? "it has none"}`,
    );
  const id = family.id === undefined ? undefined : valueAt(wire, family.id);
  return {
    choices: texts.map((text, index) => {
      const word = wordIn(choices[index] ?? {}, family.answer);
      // An answer without a word for it has stopped.
      const finishReason = word === undefined ? "stop" : decodeFinishReason(word);
      return { index, text, finishReason, ...compact({ rawFinishReason: word }) };
    }),
    ...compact({
      id: typeof id === "string" || typeof id === "number" ? String(id) : undefined,
      usage: usageIn(family, wire, choices),
    }),
  };
}

/** Writes an answer as the vendor would, for those who stand in for it. */
export function encodeResponse(family: Family, { id, choices, usage }: CompletionResponse): Fields {
  const { list, text: textPath, reason: reasonPath } = family.answer;
  const written = choices.map(({ text, finishReason, rawFinishReason }) => {
    const choice: Fields = {};
    put(choice, textPath, text);
    put(choice, reasonPath, encodeFinishReason(family, finishReason, rawFinishReason));
    return choice;
  });
  const wire: Fields = list === undefined ? { ...written[0] } : {};
  if (list !== undefined) put(wire, list, written);
  if (family.id !== undefined && id !== undefined) put(wire, family.id, id);
  return usage ? { ...wire, ...encodeUsage(usage) } : wire;
}
