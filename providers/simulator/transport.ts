import { Readable } from "node:stream";
import type { Transport, UpstreamCall } from "../../core/provider-kit/index.ts";
import { anthropicCount, anthropicMessages } from "./anthropic-messages.ts";
import type { AnswerLine } from "./batches.ts";
import { cohereChat } from "./cohere-chat.ts";
import { completions } from "./completions.ts";
import { bedrockAt } from "./converse.ts";
import { brokenConnection, deliver, jsonSteps, type Pacing } from "./delivery.ts";
import type { Dialect, Reply } from "./dialect.ts";
import { embeddings } from "./embeddings.ts";
import { type Fault, faultOf } from "./faults.ts";
import { largestUpload } from "./files.ts";
import { geminiAt } from "./gemini.ts";
import { images } from "./images.ts";
import { Kept, refusal } from "./kept.ts";
import { moderations } from "./moderations.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiErrors } from "./openai-errors.ts";
import { inputTokens, openAiResponses } from "./openai-responses.ts";
import { Player, type Step } from "./player.ts";
import { rawAnswer } from "./raw.ts";
import { rerank } from "./rerank.ts";
import { isRecord, Refusal, textIn, type Wire } from "./wire.ts";
import { digestOf } from "./words.ts";

export interface SimulatorOptions {
  readonly formats: readonly string[];
  readonly pacing: Pacing;
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["/chat/completions", openAiChat],
  ["/responses", openAiResponses],
  ["/responses/input_tokens", inputTokens],
  ["/messages", anthropicMessages],
  ["/messages/count_tokens", anthropicCount],
  ["/completions", completions],
  ["/embeddings", embeddings],
  ["/v2/chat", cohereChat],
  ["/v2/rerank", rerank],
  ["/images/generations", images],
  ["/moderations", moderations],
]);

/** Bodies whose failures are counted: more than a test sends, and an end to what a long run would collect. */
const mostCounted = 10_000;

/** A vendor inside this process. */
export function simulatorTransport(options: SimulatorOptions): Transport {
  const failures = new Map<string, number>();
  /** Whether a call with this body is still to fail. */
  const fails = (digest: string, times: number): boolean => {
    const before = failures.get(digest) ?? 0;
    if (before >= times) return false;
    if (failures.size >= mostCounted) failures.clear();
    failures.set(digest, before + 1);
    return true;
  };
  const kept = new Kept(lineAnswer(options.formats));
  return {
    send(call, listener) {
      const player = new Player(listener);
      const { body } = call;
      const steps = (bytes: Buffer) => stepsFor(call, bytes, options, fails, kept);
      if (body instanceof Readable) return receive(body, player, steps);
      player.play(steps(body ?? Buffer.alloc(0)));
      return player;
    },
  };
}

/** Answers lines of batches as single requests are; faults that take a connection have none to take. */
const lineAnswer =
  (formats: readonly string[]): AnswerLine =>
  (url, body) => {
    const dialect = dialects.get(url.replace(/^\/v1(?=\/)/, ""));
    const refuse = (status: number, message: string) => ({ status, body: openAiErrors.errorBody(status, message) });
    if (!dialect || !formats.includes(dialect.format)) return refuse(404, `This simulator does not serve ${url}.`);
    const fault = faultOf(textIn(body.model));
    if (fault)
      return refuse(
        fault !== "unknown" && fault.kind === "status" ? fault.status : 500,
        "Simulated failure of a line.",
      );
    try {
      const reply = dialect.reply({ ...body, stream: false }, digestOf(url, JSON.stringify(body)));
      return "whole" in reply ? { status: 200, body: reply.whole } : refuse(500, "The answer has no whole form.");
    } catch (error) {
      if (error instanceof Refusal) return refuse(error.status, error.message);
      throw error;
    }
  };

/** Reads a body that is still arriving. Of one that is too large to be kept nothing is. */
function receive(
  body: Readable,
  player: Player,
  steps: (bytes: Buffer) => readonly Step[],
): ReturnType<Transport["send"]> {
  let pieces: Buffer[] = [];
  let length = 0;
  body.on("data", (piece: Buffer) => {
    length += piece.length;
    if (length > largestUpload) pieces = [];
    else pieces.push(piece);
  });
  body.on("end", () =>
    player.play(
      length > largestUpload
        ? refusal(413, `A simulated upload has at most ${largestUpload} bytes.`, digestOf(String(length)))
        : steps(Buffer.concat(pieces)),
    ),
  );
  body.on("error", (cause) => player.play([{ kind: "error", cause }]));
  return {
    abort() {
      player.abort();
      body.destroy();
    },
    pause: () => player.pause(),
    resume: () => player.resume(),
  };
}

function stepsFor(
  call: UpstreamCall,
  body: Buffer,
  { formats, pacing }: SimulatorOptions,
  fails: (digest: string, times: number) => boolean,
  kept: Kept,
): readonly Step[] {
  const digest = digestOf(call.path, body);
  const [path = ""] = call.path.replace(/^\/v1(?=\/)/, "").split("?");
  const asked = call.path.split("?")[0] ?? "";
  const said = geminiAt(asked) ?? bedrockAt(asked);
  const dialect = call.method === "POST" ? (said?.dialect ?? dialects.get(path)) : undefined;
  if (!dialect) return kept.steps(call, body, digest) ?? jsonSteps(200, rawAnswer(call, body), digest);
  const refuse = (status: number, message: string, more?: Readonly<Record<string, string>>) =>
    jsonSteps(status, dialect.errorBody(status, message), digest, { ...dialect.errorHeaders?.(status), ...more });
  if (!formats.includes(dialect.format)) return refuse(404, `This simulator does not speak ${dialect.format}.`);
  const sent = parsed(body);
  if (!sent) return refuse(400, "The body must be a JSON object.");
  const wire = said ? { ...sent, model: said.model, stream: said.stream } : sent;
  const fault = faultOf(textIn(wire.model));
  if (fault === "unknown") return refuse(400, `There is no fault named "${textIn(wire.model)}".`);
  const early = fault && beforeAnswer(fault, refuse, () => fault.kind === "flaky" && fails(digest, fault.times));
  if (early) return early;
  try {
    const reply: Reply = dialect.reply(wire, digest);
    // A whole answer has no place for an error but its status.
    if (fault?.kind === "error-event" && "whole" in reply) return refuse(500, "Simulated failure.");
    if (dialect === openAiResponses && !fault) kept.responses.keep(wire, digest, body.length);
    return deliver(reply, fault, dialect, pacing, digest);
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.status, error.message);
    throw error;
  }
}

/** Faults that leave no room for an answer. */
function beforeAnswer(
  fault: Fault,
  refuse: (status: number, message: string, more?: Readonly<Record<string, string>>) => Step[],
  isFlaky: () => boolean,
): Step[] | undefined {
  switch (fault.kind) {
    case "status": {
      const { status, retryAfter } = fault;
      const more = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
      return refuse(status, `Simulated failure with status ${status}.`, more);
    }
    case "silence":
      return [];
    case "reset":
      return [brokenConnection()];
    case "flaky":
      return isFlaky() ? refuse(503, "Simulated failure that passes.") : undefined;
    default:
      return undefined;
  }
}

function parsed(body: Buffer): Wire | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
