import type { Assembler } from "../../codec-kit/streams/assemble.ts";
import { type ClientNames, inClientNames } from "../../codec-kit/tools/tool-names.ts";
import { usageSoFar } from "../../codec-kit/usage/usage-so-far.ts";
import type { ErrorDetail } from "../../errors/error-detail.ts";
import { GatewayError, raise } from "../../errors/gateway-error.ts";
import { exceptionEvent, exceptionIn } from "../../http/aws-event-stream/events.ts";
import { frameGuard } from "../../http/sse/frame-guard.ts";
import type { EncodeContext, Format, StreamEnd } from "../../model/format.ts";
import type { Framing, WireEvent } from "../../model/framing.ts";
import type { StreamChunk } from "../../model/stream.ts";
import type { Usage } from "../../model/usage.ts";
import { statusOf } from "../reply/error-status.ts";
import { framingRules, written } from "./framing.ts";
import { isBlank, isWhole } from "./last-frame.ts";
import { type FrameFix, frameFault } from "./normalised-event.ts";
import { hidingQuoted } from "./quoted-errors.ts";
import { saysSomething } from "./says-something.ts";
import { SeenFrames } from "./seen-frames.ts";
import type { StreamListener } from "./stream-listener.ts";
import { Terminators } from "./terminators.ts";

/** What happens to the bytes of a stream between the upstream and the client. */
export interface StreamWork {
  /** Bytes in, what goes to the client now; empty when nothing does. */
  push(bytes: Buffer): Buffer | string;
  /** What taps let go of though nothing came; absent where there are none. */
  stir?(): Buffer | string;
  /** Whether the upstream has said anything yet: comments, which some vendors fill the wait with, say nothing. */
  readonly begun: boolean;
  /** The upstream closed in order. What is still to be sent, and the failure when the answer was not whole. */
  end(): StreamClosing;
  /** The in-band error that ends the client's stream instead. */
  fail(error: ErrorDetail): Buffer | string;
  /** The vendor's own error, once it has reported one inside the stream. */
  readonly upstreamError: ErrorDetail | undefined;
  /** Whether it was a tap that ended the answer with that error. */
  readonly given?: boolean;
  /** Whether the answer has ended, so that no frame may stand behind it, even one that says nothing. */
  readonly finished?: boolean;
  /** Whether the vendor has told that the answer is over: what fails behind that is no failure of the answer. */
  readonly whole: boolean;
  /** Whether, besides, nothing more is read of what may come. Asked with each piece; absent where all that comes goes on. */
  readonly over?: boolean;
  /** Whether such an error reaches the client by itself, in the vendor's own bytes. */
  readonly forwardsErrors: boolean;
  readonly malformed: number;
  readonly usage: Usage | undefined;
}

export interface StreamClosing {
  readonly out: Buffer | string;
  readonly failure?: GatewayError;
}

const eventsIn = ({ framing }: Pick<Format, "framing">, frames: Buffer): WireEvent[] =>
  framingRules(framing).events(frames);

const truncated = () =>
  new GatewayError("upstream_truncated", "The upstream closed the stream before it was finished.");

/**
 * Same format on both sides: whole frames go on as they came; how it ended is read from the first and last ones, and from those with
 * the mark of what counts. A listener reads along. Errors inside it lose what they quote of the `secrets` the vendor was called with.
 */
export function passThrough(
  format: Format,
  maxFrameBytes: number,
  listener?: StreamListener,
  secrets: readonly string[] = [],
): StreamWork {
  const rules = framingRules(format.framing);
  const cutter = rules.cutter(maxFrameBytes);
  const guard = format.framing === "sse" ? frameGuard() : undefined;
  const hide = hidingQuoted(format, secrets);
  const seen = new SeenFrames([format.usageMark ?? []].flat().map((mark) => Buffer.from(mark)));
  let upstreamError: ErrorDetail | undefined;
  /** How the stream ends by what was seen so far. */
  let ending: StreamEnd | undefined;
  const terminators = new Terminators(format);
  const remember = (frames: Buffer) => {
    // Some vendors fill waits with comments (`:`). They say nothing, and would push out what tells how the answer ended.
    if (frames[0] === 0x3a && eventsIn(format, frames).length === 0) return;
    ending = undefined;
    if (!seen.begun) {
      const [event] = eventsIn(format, frames);
      if (!event) return;
      if (format.readStreamEnd?.([event]).failed) upstreamError = errorIn(format, event);
    }
    seen.keep(frames);
  };
  const accept = (frames: Buffer): Buffer => {
    const kept = hide(guard ? guard.check(frames) : frames);
    if (kept.length === 0) return kept;
    remember(kept);
    listener?.frames(kept);
    if (!terminators.mayBeIn(kept) || endingNow().finished) return kept;
    // A terminator behind an answer that is not finished would show a failure as success.
    return terminators.takenFrom(kept);
  };
  const eventsSeen = () => {
    const { bytes } = seen;
    return bytes ? eventsIn(format, bytes) : [];
  };
  const endingNow = (): StreamEnd => {
    ending ??= format.readStreamEnd?.(eventsSeen()) ?? { finished: true, terminated: true, failed: false };
    return ending;
  };
  return {
    push(bytes) {
      const frames = cutter.push(bytes);
      return frames ? accept(frames) : "";
    },
    end() {
      const rest = cutter.rest();
      let completed: Buffer | string = "";
      if (rest && isBlank(rest)) completed = rest;
      else if (rest && isWhole(format.framing, rest)) completed = accept(Buffer.concat([rest, Buffer.from("\n\n")]));
      const ended = endingNow();
      listener?.end();
      if (ended.failed) {
        const event = eventsSeen().find((one) => format.readStreamEnd?.([one]).failed);
        upstreamError ??= event ? errorIn(format, event) : { message: "The upstream reported an error." };
      } else if (!ended.finished) return { out: completed, failure: truncated() };
      const isTold = ended.terminated && !terminators.taken;
      const last = ended.failed ? format.broken : isTold ? undefined : format.terminator;
      return { out: last ? Buffer.concat([Buffer.from(completed), Buffer.from(last)]) : completed };
    },
    fail: (error) => written(format.failStream?.(error) ?? encoderOf(format, bareContext).fail(error), rules),
    forwardsErrors: true,
    get finished() {
      return format.silence !== undefined && endingNow().finished;
    },
    get begun() {
      return seen.begun;
    },
    get whole() {
      const { finished, terminated } = endingNow();
      return finished && terminated;
    },
    get upstreamError() {
      return upstreamError;
    },
    get malformed() {
      return (guard?.malformed ?? 0) + (listener?.malformed ?? 0);
    },
    get usage() {
      // Of a stream that broke off: what was seen of it.
      return endingNow().usage;
    },
  };
}

function errorIn(format: Format, { data }: WireEvent): ErrorDetail {
  try {
    return format.decodeError(JSON.parse(data)) ?? { message: data };
  } catch {
    return { message: "The upstream reported an error." };
  }
}

export interface TranslationParts {
  readonly upstream: Format;
  readonly client: Format;
  readonly context: EncodeContext;
  readonly maxFrameBytes: number;
  /** What the client calls tools whose names the vendor refuses. */
  readonly clientNames?: ClientNames | undefined;
  /** How the vendor frames the stream, where that is not how the format does. */
  readonly framing?: Framing | undefined;
  /** What the vendor does differently in the frames. */
  readonly fix?: FrameFix | undefined;
  /** Taps that want to see the chunks. */
  readonly tap?: ((chunks: readonly StreamChunk[]) => readonly StreamChunk[]) | undefined;
  /** A stream that may be restarted elsewhere has not begun before there is something to read in it. */
  readonly beginsWithContent?: boolean;
  /** An error of the vendor's as it may be told: less what it quotes of the call. */
  readonly clean?: ((error: ErrorDetail) => ErrorDetail) | undefined;
  /** Where the answer is put together, when somebody wants it whole at the end. */
  readonly assembler?: Assembler | undefined;
}

const encoderOf = (format: Format, context: EncodeContext) =>
  format.encodeStream?.(context) ?? raise("internal", `The format ${format.name} does not stream.`);

const bareContext: EncodeContext = {
  provider: "",
  model: "",
  strict: true,
  now: 0,
  id: "",
  includeUsage: false,
};

/** Different formats, or taps that look at chunks: decoded, shown, and encoded for the client. */
export function translation(parts: TranslationParts): StreamWork {
  const { upstream, client, context, tap, assembler, fix, clientNames } = parts;
  const framing = parts.framing ?? upstream.framing;
  const arriving = framingRules(framing);
  const leaving = framingRules(client.framing);
  const cutter = arriving.cutter(parts.maxFrameBytes);
  const decoder = upstream.decodeStream?.() ?? raise("internal", `The format ${upstream.name} does not stream.`);
  const encoder = encoderOf(client, context);
  let malformed = 0;
  let usage: Usage | undefined;
  let upstreamError: ErrorDetail | undefined;
  let given = false;
  let begun = !parts.beginsWithContent;

  // Clients of another format know the vendor's words for errors no more than the rest of its stream.
  const told = (error: ErrorDetail): ErrorDetail => {
    const clean = parts.clean?.(error) ?? error;
    return upstream === client ? clean : { ...clean, status: statusOf(error) };
  };
  const isOver = () => decoder.over === true && !upstreamError;
  const forward = (chunks: Iterable<StreamChunk>): string => {
    const arrived: readonly StreamChunk[] = Array.isArray(chunks) ? chunks : [...chunks];
    // Whatever taps make of it: it is paid for.
    for (const chunk of arrived) if (chunk.type === "usage") usage = usageSoFar(usage, chunk.usage);
    const seen = clientNames ? arrived.map((chunk) => inClientNames(chunk, clientNames)) : arrived;
    return seen.length === 0 ? "" : encoded(tap ? tap(seen) : seen);
  };
  const encoded = (seen: readonly StreamChunk[]): string => {
    let out = "";
    for (const chunk of seen) {
      if (chunk.type === "error") {
        given = chunk.given === true;
        upstreamError = given ? chunk.error : told(chunk.error);
      } else {
        begun ||= saysSomething(chunk);
        assembler?.add(chunk);
        out += encoder.push(chunk);
      }
    }
    return out;
  };
  const decode = (event: WireEvent): string => {
    try {
      return forward(decoder.push(fix ? fix(event) : event));
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === "malformed_frame")) throw frameFault(event, error);
      malformed++;
      return "";
    }
  };
  const decodeAll = (frames: Buffer): string => {
    let out = "";
    for (const event of arriving.events(frames)) {
      if (upstreamError) break;
      // A format in a framing of another has no word for what the framing reports.
      if (parts.framing && event.event === exceptionEvent) upstreamError = told(exceptionIn(event));
      else out += decode(event);
    }
    return out;
  };
  return {
    push(bytes) {
      const frames = cutter.push(bytes);
      return frames ? written(decodeAll(frames), leaving) : "";
    },
    end() {
      const rest = cutter.rest();
      const out = rest && isWhole(framing, rest) ? decodeAll(rest) : "";
      if (upstreamError) return { out: written(out, leaving) };
      try {
        const last = out + forward(decoder.end());
        // What has ended with an error does not end in order as well: clients would take it for whole.
        return { out: written(upstreamError ? last : last + encoder.end(), leaving) };
      } catch (error) {
        if (error instanceof GatewayError) return { out: written(out, leaving), failure: error };
        throw error;
      }
    },
    ...(tap && { stir: () => (upstreamError ? "" : written(encoded(tap([])), leaving)) }),
    fail: (error) => written(encoder.fail(error), leaving),
    forwardsErrors: false,
    get begun() {
      return begun;
    },
    get whole() {
      return isOver();
    },
    get over() {
      return isOver();
    },
    get upstreamError() {
      return upstreamError;
    },
    get given() {
      return given;
    },
    get malformed() {
      return malformed;
    },
    get usage() {
      return usage;
    },
  };
}
