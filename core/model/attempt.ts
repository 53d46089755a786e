import type { Secret } from "../secrets/secret.ts";
import type { Aside } from "./answer.ts";
import type { ChatResponse } from "./chat.ts";
import type { CompletionResponse } from "./completion.ts";
import type { HookResults } from "./exchange.ts";
import type { GatewayRequest } from "./request.ts";
import type { Outcome, Target } from "./route.ts";
import type { UpstreamCall } from "./transport.ts";
import type { Cost, Usage } from "./usage.ts";

/** One call to one target. Times are milliseconds since the exchange began. */
export interface Attempt {
  readonly target: Target;
  readonly startedAt: number;
  /** When the upstream was first called; what lies before is the gateway's own work. */
  sentAt?: number;
  connectedAt?: number;
  headersAt?: number;
  /** The first byte of the body of its answer. */
  firstByteAt?: number;
  firstTokenAt?: number;
  endedAt?: number;
  /** Milliseconds a cache took to look for the answer; absent where none was asked. */
  cacheTime?: number;
  /** Milliseconds the translation of a whole answer took; absent where it went on as it came, and of streams. */
  translationTime?: number;
  outcome?: Outcome;
  /** Response headers about this attempt, by name without prefix: `cache-status`. Sent when it is the last one. */
  told?: Record<string, string>;
  /** Headers that taps add to what the target is sent (`addHeader`), lower case. */
  added?: Readonly<Record<string, string | Secret>>;
  /** The attempt ran beside another one. */
  lane?: "rival" | "shadow";
  /** What checks said of what it was asked and of its answer, for its record. */
  hookResults?: HookResults;
  /** What its answer gets besides what its format has. */
  aside?: Aside;
  /** The status a 200 is given instead. */
  successStatus?: number;
  /** The status that records keep, where the client is given another one: a denial may look like an answer. */
  recordedStatus?: number;
  /** What the answer depends on besides the request: part of the keys of caches. */
  dependsOn?: string;
  /** A tap decides on the answer before the client gets any of it: a stream is put together first. */
  gathers?: boolean;
  /** The taps on `beforeRequest` have let it through: a retry of it does not ask them again. */
  admitted?: true;
  /** It is such a retry. */
  repeats?: true;
  /** The request as this target is asked, shaped by the config and by taps; absent of a retry, and of raw calls. */
  asked?: GatewayRequest;
  /** Milliseconds after which taps on `streamChunk` are called again and again, without chunks, for what they hold back. */
  stirs?: number;
  /** The model of a raw call that names none, neither in its URL nor in its body: as its answer names it. */
  model?: string;
  /** What was sent to the upstream, credentials included; absent where nobody was called. */
  call?: UpstreamCall;
  /** The upstream's answer, where it was read in one piece; a refusal without the credentials it quotes. */
  received?: Buffer;
  /** What the client would be given for it, where it is in one piece. */
  answered?: Buffer;
  /**
   * What the vendor had answered, where a tap gives the client something else in its place, or what had come of it when it broke off:
   * it is paid for, and nobody is told.
   */
  withheld?: ChatResponse | CompletionResponse;
  /** What a tap that holds some of a stream back has got of it: asked for where it breaks off, and then `withheld`. */
  heldBack?: () => ChatResponse | CompletionResponse;
  /** Part of a provider's batch job, which has prices of its own. */
  batch?: boolean;
  /** What it used, from the cost hook on: of failed attempts too, where their answer says so. */
  usage?: Usage;
  /** Reads it off the answer, when the client has that. */
  readUsage?: () => Usage | undefined;
  /** Both are those of a provider's batch job, of which the gateway has learnt by this call. */
  job?: true;
  /** Told when the cost hook is over: what it used has been counted and recorded. */
  settled?: () => Promise<void>;
  /** What it cost, once it is priced. */
  cost?: Cost;
  /** What it would have cost, where a cache answered in the provider's place. */
  avoided?: Cost;
}
