import { randomUUID } from "node:crypto";
import { readJson, withMembers, writeJson } from "../../codec-kit/exact-json.ts";
import { compact, isRecord } from "../../codec-kit/records.ts";
import { customToolsRepeated } from "../../codec-kit/tools/custom-tools.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { EncodeContext, Format } from "../../model/format.ts";
import type { RequestOf, ResponseOf } from "../../model/operations.ts";
import type { EncodedLine, LineAnswer, Vendor } from "../../model/procedure.ts";
import type { BoundProvider } from "../../model/provider.ts";
import type { Target } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { WireRequest, wireRequest } from "../request/wire-request.ts";
import type { Road } from "../road.ts";
import { isStrictAt } from "../strictness.ts";
import { formatNamed, operationOf, prepare } from "./prepare.ts";

/** Lines of batches by the codecs of single requests: what can be asked one at a time can be asked many at a time. */
export function lineCodec(
  road: Road,
  exchange: ExchangeState,
  target: Target,
): Pick<Vendor, "encodeLine" | "decodeLine"> {
  const { provider: whole } = target;
  const provider: BoundProvider = whole.batchOperations ? { ...whole, operations: whole.batchOperations } : whole;
  const id = randomUUID().replaceAll("-", "").slice(0, 24);
  return {
    encodeLine({ endpoint, model, body }): EncodedLine {
      const asked = wireRequest(Buffer.from(writeJson(withMembers(body, { model }))), servedAt(road, endpoint));
      if (asked.stream)
        throw new GatewayError("invalid_request", "body.stream must be false: a batch is not streamed.", {
          param: "body.stream",
        });
      const { body: bytes, upstream } = prepare(road, exchange, provider, asked, {
        apart: true,
        strict: target.strict,
      });
      return { format: upstream.name, wire: readJson(bytes.toString()) as Record<string, unknown> };
    },
    decodeLine({ endpoint, model, wire, asked, number }: LineAnswer): Record<string, unknown> {
      const client = servedAt(road, endpoint);
      const spec = operationOf(provider, asking(client, model));
      const upstream = formatNamed(road, spec?.format);
      if (upstream === client && !spec?.normalise) return { ...wire };
      const response = upstream.decodeResponse(spec?.normalise ? spec.normalise({ ...wire }) : { ...wire });
      const context: EncodeContext = {
        provider: provider.name,
        model,
        strict: isStrictAt(exchange, target),
        now: Math.floor(exchange.receivedAt / 1000),
        id: `${id}${number}`,
        includeUsage: true,
        ...(isRecord(asked) && compact({ customTools: customToolsRepeated(upstream, { ...asked, model }) })),
      };
      return client.encodeResponse(response as ResponseOf<typeof client.operation>, context);
    },
  };
}

/** The format of the endpoint a line names. */
function servedAt(road: Road, endpoint: string): Format {
  const format = road.postFormats.get(endpoint);
  if (format && format.requests !== "form" && !format.readUrl) return format;
  const known = [...road.postFormats.keys()].join(", ");
  throw new GatewayError("invalid_request", `"${endpoint}" is no endpoint of this gateway for lines: ${known}.`, {
    param: "url",
  });
}

const asking = (format: Format, model: string): WireRequest =>
  new WireRequest({
    format,
    operation: format.operation,
    bytes: undefined,
    peeked: undefined,
    wireModel: model,
    model,
    stream: false,
    body: undefined as RequestOf<typeof format.operation> | undefined,
  });
