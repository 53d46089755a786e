import type { Readable } from "node:stream";
import type { Exchange } from "../../model/exchange.ts";
import type { Principal } from "../../model/principal.ts";
import type { Target } from "../../model/route.ts";
import type { Cost, Usage } from "../../model/usage.ts";

/** Requests the gateway makes of itself for somebody: they go the road of those that clients send. */
export interface OwnRoad {
  /** Resolves when the head of the answer is there. Rejects where there is no such endpoint, and where there is no answer. */
  send(request: RoadRequest): Promise<RoadAnswer>;
  /** What guardrails make of a request, or of its answer, that is sent and answered elsewhere. Nobody is called. */
  rehearse(request: RehearsedRequest): Promise<Rehearsed>;
  /** Prices and counts what was done elsewhere, by limits too: nobody is called, and nothing is refused any more. */
  account(work: DoneWork): Promise<Accounted>;
}

export interface RoadOrigin {
  /** Path and query, as a client would write them. */
  readonly path: string;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whom it is for. Where that is not said, the credential in the headers says it, as a client's does. */
  readonly principal?: Principal;
  /** What records say it is from. */
  readonly source?: Exchange["source"];
}

export interface RoadRequest extends RoadOrigin {
  readonly method: string;
  /** What it is, the content type says. */
  readonly body?: Buffer | Readable;
  /** Part of something that was let in already: no limit counts it, no guardrail looks at it. */
  readonly internal?: true;
  readonly signal?: AbortSignal;
}

export interface RoadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number>>;
  /** Breaks off with an error where the answer does; whoever destroys it gives the rest up. */
  readonly body: Readable;
  /** As it stands: which attempt answers is known by now. */
  readonly exchange: Exchange;
  /** When all of it is there, and priced and recorded. */
  readonly over: Promise<Exchange>;
}

export interface RehearsedRequest extends RoadOrigin {
  readonly body: Buffer;
  /** The answer that was given to it, in the format of the endpoint; absent asks about the request. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

export interface Rehearsed {
  /** What it would be answered with: from 400 on it is denied, or could not be sent. */
  readonly status: number;
  /** The body of the refusal. */
  readonly refusal?: Readonly<Record<string, unknown>>;
  /** The request or the answer as it goes on, where it was changed. */
  readonly changed?: Readonly<Record<string, unknown>>;
}

export interface DoneWork extends RoadOrigin {
  /** What was used, by the model that was asked, and what it cost where that is known: else it is priced as a part of a batch. */
  readonly parts: readonly { readonly model: string | undefined; readonly usage: Usage; readonly cost?: Cost }[];
  /** The call by which it became known, where another one than `path` names did: records are of its place, and of whom it asked. */
  readonly known?: Pick<Exchange, "endpoint" | "method"> & { readonly target: Target };
}

export interface Accounted {
  /** The name of the provider. */
  readonly provider: string;
  readonly cost?: Cost;
}
