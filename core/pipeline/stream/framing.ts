import { eventFrame, frameEventsOf, framesWithoutQuoted } from "../../http/aws-event-stream/events.ts";
import { lastFrameEnd, mayEndFrame } from "../../http/aws-event-stream/frame.ts";
import { eventsOf, linesOf } from "../../http/sse/events.ts";
import { cutter, type FrameCutter, lineCutter, sseCutter } from "../../http/sse/frame-cutter.ts";
import type { Framing, WireEvent } from "../../model/framing.ts";
import { withoutQuoted } from "../../secrets/quoted-secrets.ts";

/** What there is to know of a framing. */
export interface FramingRules {
  cutter(maxFrameBytes: number): FrameCutter;
  /** The events of whole frames. */
  events(frames: Buffer): WireEvent[];
  /** What streams are sent as. */
  readonly contentType: string;
  /** How the text that encoders write becomes bytes: text formats are UTF-8, binary ones one character per byte. */
  readonly encoding: "utf8" | "latin1";
  /** Says nothing, and shows that the connection lives. Empty where the framing has nothing of the kind. */
  readonly silence: string;
  /** Tells a client that has asked for it that everything before is void. Absent where that cannot be said. */
  readonly restart?: string;
  /** Bytes of which one stands in whatever reports an error, and hardly anywhere else. */
  readonly errorMarks: readonly Buffer[];
  /** Whole frames without any of the `secrets`, however they are spelt. */
  withoutQuoted(frames: Buffer, secrets: readonly string[]): Buffer;
}

const restartData = '{"type":"gateway_restart"}';
const events: FramingRules = {
  cutter: sseCutter,
  events: (frames) => eventsOf(frames.toString()),
  contentType: "text/event-stream; charset=utf-8",
  encoding: "utf8",
  silence: ": keep-alive\n\n",
  errorMarks: [Buffer.from("error")],
  withoutQuoted: (frames, secrets) => Buffer.from(withoutQuoted(frames.toString(), secrets)),
};

const rules: Readonly<Record<Framing, FramingRules>> = {
  sse: { ...events, restart: `event: gateway-restart\ndata: ${restartData}\n\n` },
  ndjson: { ...events, cutter: lineCutter, events: (frames) => linesOf(frames.toString()) },
  "json-list": { ...events, contentType: "application/json; charset=utf-8", silence: "\n" },
  "aws-event-stream": {
    cutter: (maxFrameBytes) => cutter({ last: lastFrameEnd, mayBeIn: mayEndFrame }, maxFrameBytes),
    events: frameEventsOf,
    contentType: "application/vnd.amazon.eventstream",
    encoding: "latin1",
    silence: "",
    restart: eventFrame("gateway-restart", restartData),
    errorMarks: [Buffer.from(":exception-type"), Buffer.from(":error-code")],
    withoutQuoted: framesWithoutQuoted,
  },
};

/** The rules of a framing; server-sent events where a format names none. */
export const framingRules = (framing: Framing | undefined): FramingRules => rules[framing ?? "sse"];

/** What an encoder wrote, as bytes where it is not text. */
export const written = (text: string, { encoding }: FramingRules): string | Buffer =>
  encoding === "utf8" ? text : Buffer.from(text, encoding);
