import { compact, type Fields, isRecord, type TranscribedSegment } from "../../core/index.ts";
import { letterOf } from "./speakers.ts";

/** What is said between two pauses; where speakers are told, what one of them says of it. */
export function segmentsIn(utterances: readonly unknown[]): readonly TranscribedSegment[] {
  return utterances.filter(isRecord).flatMap((utterance) => {
    const turns = turnsIn(Array.isArray(utterance.words) ? utterance.words.filter(isRecord) : []);
    return turns.length > 1 ? turns.map(turnOf) : [segmentOf(utterance, turns[0]?.[0]?.speaker)];
  });
}

/** Words in a row of the same speaker. */
function turnsIn(words: readonly Fields[]): readonly (readonly Fields[])[] {
  const turns: Fields[][] = [];
  for (const word of words) {
    const last = turns.at(-1);
    if (last && last[0]?.speaker === word.speaker) last.push(word);
    else turns.push([word]);
  }
  return turns;
}

const turnOf = (words: readonly Fields[]): TranscribedSegment =>
  segmentOf(
    { transcript: words.map(writtenIn).join(" "), start: words[0]?.start, end: words.at(-1)?.end },
    words[0]?.speaker,
  );

const segmentOf = ({ transcript, start, end, speaker }: Fields, ofWords: unknown): TranscribedSegment => ({
  text: String(transcript),
  start: Number(start),
  end: Number(end),
  ...compact({ speaker: letterOf(speaker ?? ofWords) }),
});

export const writtenIn = ({ word, punctuated_word: written }: Fields): string =>
  typeof written === "string" ? written : String(word);
