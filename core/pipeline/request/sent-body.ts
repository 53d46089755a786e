import { asReadIn } from "../../codec-kit/exact-json.ts";
import type { Format } from "../../model/format.ts";

type Wire = Record<string, unknown>;

/** A body as it is sent where the URL says the model and whether to stream. */
export function withoutUrlFields(wire: Wire): Wire {
  const { model: _, stream: __, ...body } = wire;
  return asReadIn(wire, body);
}

/** A body of a format as it is sent: the URL says the rest. */
export function asSent({ readUrl, streamInBody }: Format, wire: Wire): Wire {
  if (!readUrl) return wire;
  const body = withoutUrlFields(wire);
  return streamInBody && wire.stream === true ? Object.assign(body, { stream: true }) : body;
}
