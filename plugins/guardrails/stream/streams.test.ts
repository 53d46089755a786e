import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Redactor, redacted, type StreamChunk } from "../../../core/index.ts";
import type { Hold } from "../hook.ts";
import { holdJudge, type Judge, mostHeld, windowJudge } from "./judge.ts";
import { Lane } from "./lane.ts";
import { GrowingRedaction } from "./redaction.ts";
import { StreamGuard } from "./stream-guard.ts";

/** Texts in which something is found often: few letters, spaces, ends of sentences, a character of two units. */
const letters = fc.constantFrom("a", "a", "b", "b", "1", "2", " ", ". ", "\n", "\u{1F375}");
const text = fc.array(letters, { maxLength: 60 }).map((all) => all.join(""));

/** A text in pieces, empty ones too. */
const pieces = fc.array(
  text.map((one) => one.slice(0, 7)),
  { maxLength: 25 },
);

/** Whole words of some letters, with word borders as context; of a bounded length. */
const wordRedactor = (body: string, window: number): Redactor => ({
  window,
  context: 1,
  find(given, from = 0) {
    const pattern = new RegExp(`(?<!\\w)(?:${body})(?!\\w)`, "g");
    pattern.lastIndex = from;
    return [...given.matchAll(pattern)].map(({ index, 0: matched }) => ({
      start: index,
      end: index + matched.length,
      kind: "word",
    }));
  },
  replacement: (_, matched) => `[${matched.length}]`,
});
const redactor = fc.constantFrom<readonly [string, number]>(["ab{1,3}", 4], ["[12]{2,5}", 5], ["a", 1], ["b a|a b", 3]);

const delta = (piece: string, choice = 0, part = 0): StreamChunk => ({ type: "text-delta", choice, part, text: piece });
const finish = (choice = 0): StreamChunk => ({ type: "finish", choice, reason: "stop" });
const start: StreamChunk = { type: "start", id: "1" };

interface Given {
  readonly judges?: () => Judge[];
  readonly redactions?: () => GrowingRedaction[];
  readonly now?: () => number;
}
const guardOf = ({ judges = () => [], redactions = () => [], now = () => 0 }: Given) =>
  new StreamGuard({ makeLane: () => new Lane(judges(), redactions()), now, formats: new Map() });

const said = (chunks: readonly StreamChunk[]): string =>
  chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.text : "")).join("");

const through = (guard: StreamGuard, chunks: readonly StreamChunk[]): StreamChunk[] =>
  chunks.flatMap((chunk) => guard.push([chunk]));

const without = (word: string) => (part: string) => !part.includes(word);

describe("redactions in flight", () => {
  it("give what the redaction of the whole text gives, however it is cut", () => {
    fc.assert(
      fc.property(pieces, redactor, fc.nat({ max: 3 }), (cut, [body, window], more) => {
        const guard = guardOf({ redactions: () => [new GrowingRedaction(wordRedactor(body, window), window + more)] });
        const out = through(guard, [start, ...cut.map((piece) => delta(piece)), finish()]);
        expect(said(out)).toBe(redacted(cut.join(""), wordRedactor(body, window)).text);
        expect(out.at(-1)).toEqual(finish());
      }),
      { numRuns: 500 },
    );
  });

  it("take out what any of several finds", () => {
    fc.assert(
      fc.property(pieces, (cut) => {
        const [one, other] = [wordRedactor("ab{1,3}", 4), wordRedactor("[12]{2,5}", 5)];
        const redactions = () => [new GrowingRedaction(one, 4), new GrowingRedaction(other, 5)];
        const out = said(through(guardOf({ redactions }), [...cut.map((piece) => delta(piece)), finish()]));
        // What these two find never overlaps.
        expect(out).toBe(redacted(redacted(cut.join(""), one).text, { ...other, find: skipping(other) }).text);
      }),
      { numRuns: 300 },
    );
  });
});

/** Not what the redaction before it put in. */
const skipping =
  (inner: Redactor): Redactor["find"] =>
  (given) =>
    inner.find(given).filter(({ start: at }) => given[at - 1] !== "[");

describe("denials in flight", () => {
  it("let no character of what is denied leave, however the text is cut, and everything before it was judged", () => {
    fc.assert(
      fc.property(pieces, fc.constantFrom("ab", "1", "a b", "22b"), fc.nat({ max: 3 }), (cut, word, more) => {
        const whole = cut.join("");
        const guard = guardOf({ judges: () => [windowJudge(word.length + more, without(word))] });
        const out = said(through(guard, [start, ...cut.map((piece) => delta(piece)), finish()]));
        const at = whole.indexOf(word);
        expect(guard.denied).toBe(at >= 0);
        if (at < 0) expect(out).toBe(whole);
        else expect(whole.slice(0, at).startsWith(out)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("begin nothing where the first that is said is denied", () => {
    const guard = guardOf({ judges: () => [windowJudge(3, without("tea"))] });
    expect(through(guard, [start, delta(""), delta("te"), delta("a!"), finish()])).toEqual([]);
  });

  it("say nothing more, whatever comes", () => {
    const guard = guardOf({ judges: () => [windowJudge(1, without("x"))] });
    expect(said(through(guard, [delta("ok"), delta("x"), delta("ok"), finish()]))).toBe("ok");
  });

  it.each<[string, Hold]>([
    ["characters", { characters: 8 }],
    ["sentences", { sentences: 1 }],
    ["milliseconds", { milliseconds: 5 }],
    ["sentences or milliseconds", { sentences: 3, milliseconds: 2 }],
  ])("find what lies across the borders of parts held by %s", (_, hold) => {
    fc.assert(
      fc.property(pieces, fc.constantFrom("ab", "1", "2 a"), (cut, word) => {
        let time = 0;
        const guard = guardOf({ judges: () => [holdJudge(hold, without(word), () => time, 3)], now: () => time });
        const out = [start, ...cut.map((piece) => delta(piece)), finish()].flatMap((chunk) => {
          time++;
          return guard.push([chunk]);
        });
        expect(guard.denied).toBe(cut.join("").includes(word));
        if (!guard.denied) expect(said(out)).toBe(cut.join(""));
      }),
      { numRuns: 300 },
    );
  });
});

describe("what all pass", () => {
  const deltas = fc.oneof(
    text.map((piece) => ({ type: "text-delta", text: piece.slice(0, 6), logprobs: [piece] }) as const),
    text.map((piece) => ({ type: "refusal-delta", text: piece.slice(0, 6) }) as const),
    text.map((piece) => ({ type: "thinking-delta", text: piece }) as const),
    fc.constant({ type: "thinking-signature", signature: "proof" } as const),
    fc.constant({ type: "tool-call-start", id: "c", name: "f" } as const),
    text.map((piece) => ({ type: "tool-call-delta", arguments: piece.slice(0, 6) }) as const),
    fc.constant({ type: "part", value: { type: "redacted-thinking", data: "x" } } as const),
  );
  /** Deltas of several choices, their parts growing or not, finished or not before the last ones. */
  const stream = fc
    .array(fc.tuple(deltas, fc.nat({ max: 2 }), fc.boolean(), fc.integer({ min: 0, max: 15 })), { maxLength: 40 })
    .map((all) => {
      const part = [0, 0, 0];
      const chunks = all.flatMap(([body, choice, next, ends]): StreamChunk[] => {
        if (next) part[choice] = (part[choice] ?? 0) + 1;
        // A part that is come back to.
        const at = ends === 1 ? 0 : (part[choice] ?? 0);
        return [{ ...body, choice, part: at }, ...(ends === 0 ? [finish(choice)] : [])];
      });
      const usage: StreamChunk = { type: "usage", usage: { inputTokens: 1 } };
      return [start, ...chunks, finish(0), finish(1), finish(2), usage];
    });
  const holds: readonly (Hold | undefined)[] = [undefined, { characters: 9 }, { sentences: 2 }, { milliseconds: 3 }];

  it("goes on as it came: the same chunks, in the order of their choice", () => {
    fc.assert(
      fc.property(stream, fc.constantFrom(...holds), fc.integer({ min: 1, max: 12 }), (chunks, hold, window) => {
        let time = 0;
        const judge = () => [
          hold
            ? holdJudge(
                hold,
                () => true,
                () => time,
                window,
              )
            : windowJudge(window, () => true),
        ];
        const redactions = () => [new GrowingRedaction(wordRedactor("zz", 2), 2)];
        const guard = guardOf({ judges: judge, redactions, now: () => time++ });
        const out = through(guard, chunks);
        const of = (all: readonly StreamChunk[], choice: number | undefined) =>
          all.filter((chunk) => ("choice" in chunk ? chunk.choice : undefined) === choice);
        for (const choice of [undefined, 0, 1, 2]) expect(of(out, choice)).toEqual(of(chunks, choice));
        expect(out.every((chunk) => chunks.includes(chunk))).toBe(true);
        expect([out[0], out.at(-1)]).toEqual([start, chunks.at(-1)]);
      }),
      { numRuns: 500 },
    );
  });

  it("loses its probabilities where it is changed, and only there", () => {
    const redactions = () => [new GrowingRedaction(wordRedactor("ab", 2), 2)];
    const chunk = (piece: string): StreamChunk => ({ ...delta(piece), logprobs: [piece] }) as StreamChunk;
    const out = through(guardOf({ redactions }), [chunk("b "), chunk("a"), chunk("b"), chunk(" a"), finish()]);
    expect(out).toEqual([chunk("b "), delta("[2]"), chunk(" a"), finish()]);
  });

  it("loses the citations behind it where it was changed; those of other parts stay, and what they quote is a text", () => {
    const redactions = () => [new GrowingRedaction(wordRedactor("ab", 2), 2)];
    const cited = (piece: string, part: number, quoted = "b ab"): StreamChunk => ({
      ...{ type: "text-delta", choice: 0, part, text: piece },
      citations: [{ cited_text: quoted }],
    });
    const told = [delta("b ab"), cited("", 0), cited(" b", 0), delta("b", 0, 1), cited("", 1), finish()];
    const out = through(guardOf({ redactions }), told);
    expect(out).toEqual([delta("b [2]"), delta(" b"), delta("b", 0, 1), cited("", 1, "b [2]"), finish()]);
  });

  it("loses the probabilities that come behind it without a text of their own", () => {
    const redactions = () => [new GrowingRedaction(wordRedactor("ab", 2), 2)];
    const measured = { ...delta(""), logprobs: ["ab"] } as StreamChunk;
    expect(through(guardOf({ redactions }), [delta("ab"), measured, finish()])).toEqual([delta("[2]"), finish()]);
  });
});

describe("what is held back", () => {
  const longest = (hold: Hold | undefined, window: number, cut: readonly string[], step = 1) => {
    let time = 0;
    const judge = () => [
      hold
        ? holdJudge(
            hold,
            () => true,
            () => time,
            window,
          )
        : windowJudge(window, () => true),
    ];
    const guard = guardOf({ judges: judge, now: () => time });
    let most = 0;
    let held = 0;
    for (const piece of cut) {
      time += step;
      held += piece.length - said(guard.push([delta(piece)])).length;
      most = Math.max(most, held);
    }
    return { most, delay: guard.longestDelay };
  };
  const small = Array.from({ length: 60_000 }, () => "a");

  it("is bounded by the window, by characters, sentences and milliseconds, and by the most there is", () => {
    expect(longest(undefined, 40, small.slice(0, 500)).most).toBe(39);
    expect(longest({ characters: 50 }, 1, small.slice(0, 500)).most).toBe(49);
    expect(longest({ milliseconds: 20 }, 1, small.slice(0, 500))).toMatchObject({ most: 20, delay: 20 });
    expect(longest({ sentences: 1 }, 1, "One. Two. Three. ".split("")).most).toBeLessThanOrEqual(7);
    expect(longest({ sentences: 2 }, 1, small).most).toBeLessThanOrEqual(mostHeld);
    expect(longest({ milliseconds: 1e9 }, 1, small).most).toBeLessThanOrEqual(mostHeld);
  });

  it("goes on when its time has come, though nothing came", () => {
    let time = 0;
    const judges = () => [
      holdJudge(
        { milliseconds: 20 },
        () => true,
        () => time,
      ),
    ];
    const guard = guardOf({ judges, now: () => time });
    expect(guard.push([delta("Hello")])).toEqual([]);
    time = 19;
    expect(guard.push([])).toEqual([]);
    time = 20;
    expect(said(guard.push([]))).toBe("Hello");
  });

  it("costs the same for each piece of a long answer: what is looked at does not grow with what was said", () => {
    for (const hold of [undefined, { characters: 100 }, { sentences: 2 }] as const) {
      const looked = { characters: 0, most: 0 };
      const passes = (part: string) => {
        looked.characters += part.length;
        looked.most = Math.max(looked.most, part.length);
        return true;
      };
      const find: Redactor["find"] = (part) => (passes(part) ? [] : []);
      const redactions = () => [new GrowingRedaction({ ...wordRedactor("zz", 20), find }, 20)];
      const judges = () => [hold ? holdJudge(hold, passes, () => 0, 20) : windowJudge(20, passes)];
      const guard = guardOf({ judges, redactions });
      const words = Array.from({ length: 40_000 }, (_, at) => (at % 9 === 0 ? "end.\n" : "word "));
      expect(said(through(guard, [...words.map((word) => delta(word)), finish()]))).toBe(words.join(""));
      expect(looked.most).toBeLessThan(300);
      expect(looked.characters / words.join("").length).toBeLessThan(20);
    }
  });

  it("is not sent where the stream breaks", () => {
    const guard = guardOf({ judges: () => [windowJudge(10, () => true)] });
    const error: StreamChunk = { type: "error", error: { message: "gone" } };
    expect(through(guard, [delta("0123456789abc"), error])).toEqual([error]);
  });
});
