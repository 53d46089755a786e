import { customToolsIn } from "../../../core/codec-kit/tools/custom-tools.ts";
import { withClientNames } from "../../../core/codec-kit/tools/tool-names.ts";
import type { EncodeContext, Format } from "../../../core/index.ts";
import type { ChatResponse } from "../../../core/model/chat.ts";
import type { BoundProvider } from "../../../core/model/provider.ts";
import { prepare } from "../../../core/pipeline/attempt/prepare.ts";
import type { ExchangeState } from "../../../core/pipeline/exchange-state.ts";
import type { Prepared } from "../../../core/pipeline/request/prepared.ts";
import { wireRequest } from "../../../core/pipeline/request/wire-request.ts";
import type { Road } from "../../../core/pipeline/road.ts";
import { framingRules } from "../../../core/pipeline/stream/framing.ts";
import { passThrough, translation } from "../../../core/pipeline/stream/stream-work.ts";
import { chatFormats } from "../pairs.ts";
import type { Speaker, Wire } from "./speaker.ts";

/** Between a client and a vendor: what the gateway does with requests and answers, without its sockets. */

const road = { formats: new Map<string, Format>(chatFormats.map((one) => [one.name, one as unknown as Format])) };
const maxFrameBytes = 1_000_000;

export interface Sent {
  readonly prepared: Prepared;
  readonly wire: Wire;
  readonly dropped: readonly string[];
  readonly context: EncodeContext;
}

/** How the gateway is asked. */
export interface Manner {
  readonly model: string;
  readonly stream: boolean;
  readonly strict: boolean;
  /** Of the answer, where the vendor gives none. */
  readonly id: string;
}

export function sent(client: Speaker, vendor: Speaker, asked: Wire, { model, stream, strict, id }: Manner): Sent {
  const bytes = Buffer.from(JSON.stringify({ ...asked, ...("model" in asked && { model }) }));
  const request = wireRequest(bytes, client.format as unknown as Format, { model, stream });
  const exchange = { headers: {}, gatewayHeaders: new Map(), metadata: {}, strict, droppedParams: new Set<string>() };
  const chat = [{ format: vendor.format.name, path: "/chat", exact: true, instructsWithin: true }];
  const provider = { name: "acme", operations: { chat } };
  const prepared = prepare(
    road as unknown as Road,
    exchange as unknown as ExchangeState,
    provider as unknown as BoundProvider,
    request,
  );
  const customTools = customToolsIn(request);
  const now = 1_786_000_000;
  const about = {
    provider: "acme",
    model,
    strict,
    now,
    id,
    includeUsage: true,
    asked,
    ...(customTools && { customTools }),
  };
  return {
    prepared,
    wire: JSON.parse(prepared.body.toString()),
    dropped: [...exchange.droppedParams],
    context: about,
  };
}

/** The answer as the client gets it. */
export function given(client: Speaker, vendor: Speaker, answer: Wire, { prepared, context }: Sent): Wire {
  if (!prepared.translated) return answer;
  const read = vendor.format.decodeResponse(answer) as ChatResponse;
  const named = prepared.clientNames ? withClientNames(read, prepared.clientNames) : read;
  return JSON.parse(JSON.stringify(client.format.encodeResponse(named, context)));
}

/** The same of a stream that the network cuts at these places. */
export function streamed(client: Speaker, vendor: Speaker, text: string, sent: Sent, cuts: readonly number[]): Buffer {
  const { prepared, context } = sent;
  const upstream = vendor.format as unknown as Format;
  const { clientNames } = prepared;
  const work = prepared.translated
    ? translation({ upstream, client: client.format as unknown as Format, context, maxFrameBytes, clientNames })
    : passThrough(upstream, maxFrameBytes);
  const bytes = Buffer.from(text, framingRules(vendor.format.framing).encoding);
  const places = [...new Set(cuts.map((at) => at % (bytes.length + 1)))].sort((left, right) => left - right);
  const pieces = [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length));
  // What is written as text is in the encoding of the framing.
  const { encoding } = framingRules(client.format.framing);
  const written = (piece: Buffer | string) => (typeof piece === "string" ? Buffer.from(piece, encoding) : piece);
  const out = pieces.map((piece) => written(work.push(piece)));
  const { out: last, failure } = work.end();
  if (failure ?? work.upstreamError) throw failure ?? new Error(work.upstreamError?.message);
  return Buffer.concat([...out, written(last)]);
}
