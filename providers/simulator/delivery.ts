import type { Dialect, Frame, Reply } from "./dialect.ts";
import type { Fault } from "./faults.ts";
import type { Step } from "./player.ts";
import { piecesOf } from "./words.ts";

/** Milliseconds before the first frame, and between frames. */
export interface Pacing {
  readonly firstToken: number;
  readonly chunk: number;
}

const json = "application/json";
const eventStream = "text/event-stream; charset=utf-8";

export const headersStep = (
  status: number,
  contentType: string,
  digest: string,
  more: Readonly<Record<string, string>> = {},
): Step => ({
  kind: "headers",
  status,
  headers: { "content-type": contentType, "x-request-id": `req_${digest.slice(0, 24)}`, ...more },
});

/** A whole JSON answer. */
export const jsonSteps = (
  status: number,
  body: unknown,
  digest: string,
  more?: Readonly<Record<string, string>>,
): Step[] => [headersStep(status, json, digest, more), { kind: "data", text: JSON.stringify(body) }, { kind: "end" }];

export const brokenConnection = (): Step => ({
  kind: "error",
  cause: Object.assign(new Error("Simulated failure of the connection."), { code: "ECONNRESET" }),
});

const wait = (milliseconds: number): Step[] => (milliseconds > 0 ? [{ kind: "wait", milliseconds }] : []);

/** An answer with status 200, and what a fault does to it on its way. */
export function deliver(
  reply: Reply,
  fault: Fault | undefined,
  dialect: Dialect,
  pacing: Pacing,
  digest: string,
): Step[] {
  const streamed = "frames" in reply;
  const { texts, ending } = disturbed(streamed ? reply.frames : wholeFrames(reply.whole, fault), fault, dialect);
  const first = fault?.kind === "slow-first-token" ? fault.milliseconds : streamed ? pacing.firstToken : 0;
  return [
    ...(fault?.kind === "slow" ? wait(fault.milliseconds) : []),
    headersStep(200, streamed ? (dialect.streamType ?? eventStream) : json, digest),
    ...texts.flatMap((text, at): Step[] => [
      ...wait(at === 0 ? first : streamed ? pacing.chunk : 0),
      { kind: "data", text },
    ]),
    ...ending,
  ];
}

/** A whole answer arrives in one piece, unless a fault is to strike in the middle of it. */
function wholeFrames(whole: unknown, fault: Fault | undefined): Frame[] {
  const text = JSON.stringify(whole);
  if (fault?.kind === "malformed-frame") return [{ text: text.slice(0, -1) }];
  if (!fault || !("after" in fault)) return [{ text, part: "finish" }];
  const pieces = piecesOf(text);
  return pieces.map((piece, at) => (at === pieces.length - 1 ? { text: piece, part: "finish" } : { text: piece }));
}

interface Disturbed {
  readonly texts: readonly (string | Buffer)[];
  readonly ending: readonly Step[];
}

function disturbed(frames: readonly Frame[], fault: Fault | undefined, dialect: Dialect): Disturbed {
  const texts = frames.map(({ text }) => text);
  const end: readonly Step[] = [{ kind: "end" }];
  switch (fault?.kind) {
    case "stall":
      return { texts: unfinished(frames, fault.after), ending: [] };
    case "cut":
      return { texts: unfinished(frames, fault.after), ending: [brokenConnection()] };
    case "end":
      return { texts: unfinished(frames, fault.after), ending: end };
    case "error-event": {
      const before = unfinished(frames, fault.after);
      return { texts: [...before, dialect.errorFrame(before.length)], ending: end };
    }
    case "no-done":
      return { texts: frames.filter(({ part }) => part !== "terminator").map(({ text }) => text), ending: end };
    case "malformed-frame":
      // Behind the second frame: a first one nobody can read would say that this is no such stream at all.
      return { texts: texts.length > 1 ? texts.toSpliced(2, 0, dialect.malformedFrame) : texts, ending: end };
    default:
      return { texts, ending: end };
  }
}

/** At most so many frames, and never one that says the answer is complete. */
function unfinished(frames: readonly Frame[], count: number): (string | Buffer)[] {
  const finish = frames.findIndex(({ part }) => part === "finish");
  return frames.slice(0, Math.min(count, finish)).map(({ text }) => text);
}
