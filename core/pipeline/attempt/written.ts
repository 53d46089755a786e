import { sampledAsTaken } from "../../codec-kit/chat/reasoning-sampling.ts";
import { withoutIdleChoice } from "../../codec-kit/tools/idle-choice.ts";
import { withAcceptedNames } from "../../codec-kit/tools/tool-names.ts";
import type { ChatRequest } from "../../model/chat.ts";
import type { RequestOf } from "../../model/operations.ts";
import type { Prepared } from "../request/prepared.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { hasWordsOf } from "./own-words.ts";
import { saysUnknownTools } from "./unknown-tools.ts";

/** The formats on both sides of a request, and how the provider takes it. */
type Sides = Pick<Prepared, "client" | "upstream" | "translated" | "spec">;

export interface Telling {
  /** The answer is read apart from the request. */
  readonly apart: boolean;
  readonly strict: boolean;
}

/** A body written anew. */
interface Written extends Pick<Prepared, "translated"> {
  readonly wire: Record<string, unknown>;
  /** Public names of what is lost with it. */
  readonly dropped: Set<string>;
  readonly names?: Pick<Prepared, "clientNames">;
}

/**
 * The body of a request as it is written for a provider. What a tap has made has no bytes to be looked at: whether it is about tools that
 * the vendor does not know is seen once it is written, and then it is written as functions.
 */
export function written(sides: Sides, request: WireRequest, telling: Telling): Written {
  const body = encode(sides, request, telling);
  const { client, spec, translated } = sides;
  if (translated || request.bytes || !saysUnknownTools(body.wire, client, spec)) return body;
  return encode({ ...sides, translated: true }, request, telling);
}

function encode(
  { client, upstream, translated, spec }: Sides,
  request: WireRequest,
  { apart, strict }: Telling,
): Written {
  const dropped = new Set<string>();
  const report = (name: string) => dropped.add(name);
  const body = wordedFor({ client, upstream, translated, spec }, request, { strict, report });
  // Clients of another format are told the usage at the end of a stream, so the upstream is asked for it.
  const asked =
    translated && request.stream && client.framing !== undefined
      ? ({ ...body, includeUsage: true } as typeof body)
      : body;
  const accepted =
    translated && upstream.toolNames && !apart
      ? withAcceptedNames(asked as ChatRequest, upstream.toolNames)
      : undefined;
  const said = accepted?.request ?? asked;
  // Lines of a batch have no headers of their own to ask with.
  const vendor = apart && spec.leavesOutThinking ? { ...spec, leavesOutThinking: false } : spec;
  const wire = upstream.encodeRequest(said as RequestOf<typeof upstream.operation>, report, vendor);
  return accepted
    ? { wire, dropped, translated, names: { clientNames: accepted.clientNames } }
    : { wire, dropped, translated };
}

/** What a client says as its vendor can be told: in another format, or in its own as far as the vendor knows that. */
function wordedFor(
  { client, upstream, translated, spec }: Sides,
  { body }: WireRequest,
  { strict, report }: { readonly strict: boolean; readonly report: (dropped: string) => void },
): WireRequest["body"] {
  const said = body as RequestOf<typeof client.operation>;
  if (client === upstream) return translated ? (client.asFunctions?.apply(said, report) ?? said) : said;
  if (hasWordsOf(client, upstream)) return said;
  client.refuseElsewhere?.(said);
  const meant = client.meantElsewhere?.(said, { strict }) ?? said;
  if (client.operation !== "chat") return meant;
  const chat = withoutIdleChoice(meant as ChatRequest);
  return spec.exact ? sampledAsTaken(chat, report) : chat;
}
