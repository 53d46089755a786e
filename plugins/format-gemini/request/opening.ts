import { type Fields, isRecord } from "../../../core/index.ts";

const opening: Fields = { role: "user", parts: [{ text: "…" }] };

/**
 * Contents in which the user begins, where they began with calls of functions, as what is left of a long history may: "Please ensure that
 * function call turn comes immediately after a user turn" (github.com/google-gemini/gemini-cli/issues/11814).
 */
export const opened = (contents: readonly Fields[]): readonly Fields[] =>
  callsFunctions(contents[0]) ? [opening, ...contents] : contents;

const callsFunctions = (turn: Fields | undefined): boolean =>
  turn?.role === "model" && Array.isArray(turn.parts) && turn.parts.some((part) => isRecord(part) && part.functionCall);
