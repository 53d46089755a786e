import { randomUUID } from "node:crypto";
import { type Exchange, headerText, slot, traceParent } from "../../../core/index.ts";

/** Where a request stands in its trace (observability.md section 8). */
export interface TracePlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly spanName: string | null;
}

/** Longest text of a client's that rows are found by. */
const longest = 512;

const cut = (text: string): string => (text.length > longest ? text.slice(0, longest) : text);

/** 16 hexadecimal characters. */
export function newSpanId(): string {
  const id = randomUUID();
  return id.slice(19, 23) + id.slice(24);
}

/** The place of what turns are parts of, which is the same for all of them. */
const places = slot<Exchange, TracePlace>("place of a session in its trace");

function placeOfTurn(session: Exchange, event: string | undefined): TracePlace {
  const place = places.get(session) ?? tracePlace(session);
  places.set(session, place);
  const { traceId, spanId } = place;
  return { traceId, spanId: newSpanId(), parentSpanId: spanId, spanName: event ?? null };
}

/** What the gateway's own headers say goes before `traceparent`, whose parent counts within its own trace only. */
export function tracePlace(exchange: Exchange): TracePlace {
  const { traceId, gatewayHeaders, headers, method, url, role, trunk, event } = exchange;
  if (role === "turn" && trunk) return placeOfTurn(trunk, event);
  const said = traceParent(headers.traceparent);
  const continued = said?.trace === traceId ? said : undefined;
  const asked = (name: string) => {
    const value = gatewayHeaders.get(name);
    return value === undefined ? undefined : cut(headerText(value));
  };
  return {
    traceId: cut(traceId),
    spanId: asked("span-id") ?? newSpanId(),
    parentSpanId: asked("parent-span-id") ?? continued?.parent ?? null,
    spanName: asked("span-name") ?? (continued ? `${method} ${url.split("?")[0]}` : null),
  };
}
