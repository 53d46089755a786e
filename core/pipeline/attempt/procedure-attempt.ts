import { isRecord } from "../../codec-kit/records.ts";
import { raise } from "../../errors/gateway-error.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Asked, ClientProcedure } from "../../model/client-procedure.ts";
import type { AsItIs, Procedure, ProcedureName } from "../../model/procedure.ts";
import type { BoundProvider } from "../../model/provider.ts";
import type { Target } from "../../model/route.ts";
import type { ByteAnswer } from "../../model/stored-file.ts";
import type { Witness } from "../../model/witness.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { whole } from "../reply/answers.ts";
import { refusalHeaders } from "../reply/client-headers.ts";
import { corrected } from "../reply/corrected.ts";
import { outcomeOf } from "../reply/outcome.ts";
import type { Result } from "../reply/result.ts";
import { fileUpload, formTypeOf, uploadLimits } from "../request/upload.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { ClientBody, Road } from "../road.ts";
import { safely } from "../safely.ts";
import { askTaps } from "./ask-taps.ts";
import { declareLoss, speaks } from "./prepare.ts";
import { rawAttempt, shapedFor } from "./raw-attempt.ts";
import { VendorRefusal, vendorFor } from "./vendor.ts";

/** How a provider does what an endpoint asks for. */
export function procedureOf<Name extends ProcedureName>(
  { name, usual, whoSpeaks, foreign }: ClientProcedure<Name>,
  provider: BoundProvider,
  { headers }: Pick<ExchangeState, "headers">,
): Procedure<Name> | AsItIs {
  if (provider.raw) return "as-it-is";
  for (const mark in foreign)
    if (headers[mark] !== undefined && speaks(provider, foreign[mark] ?? "")) return "as-it-is";
  const { procedures } = provider;
  const own: Procedure<Name> | AsItIs | undefined = procedures?.[name];
  if (own && own !== "as-it-is") return own;
  if (own || (!procedures && isAskedAsUsual(provider, whoSpeaks))) return usual ?? "as-it-is";
  return raise("endpoint_unsupported", `${name} is not supported by ${provider.name}.`);
}

/** Vendors of the client's own format have what its namesake has, as far as anybody knows; so may those of raw calls. */
const isAskedAsUsual = (provider: BoundProvider, format: string): boolean =>
  Object.keys(provider.operations).length === 0 || speaks(provider, format);

/** An attempt at what takes calls of the provider's own making. */
export async function procedureAttempt(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
  body: ClientBody,
): Promise<Result> {
  const client = exchange.endpoint.procedure as ClientProcedure;
  if (client.takes === "upload") formTypeOf(body);
  const procedure = procedureOf(client, target.provider, exchange);
  if (typeof procedure !== "function") {
    const result = await rawAttempt(road, exchange, target, record, body);
    if (procedure === "as-it-is") return result;
    return corrected(road, result, (wire) => (isRecord(wire) ? procedure.corrected(wire) : wire));
  }
  const given = await askTaps(road, exchange, target, record);
  if (given) return given;
  const witness = road.used.cost ? safely(road, exchange, () => client.witness?.(exchange, record)) : undefined;
  const request = client.decode(askedOf(road, exchange, target, body));
  try {
    const answer = await procedure(request, vendorFor(road, exchange, target, record));
    if ("content" in answer) return await piped(target, answer, witness);
    const wire = client.encode?.(answer) ?? raise("internal", `${client.name} cannot write its answer.`);
    return { ...written(target, wire), witness };
  } catch (error) {
    if (error instanceof VendorRefusal) return refused(road, target, error);
    throw error;
  }
}

function askedOf(road: Road, exchange: ExchangeState, target: Target, body: ClientBody): Asked {
  const { url, gatewayHeaders, request } = exchange;
  return {
    itself: target.provider.itself === true,
    url,
    gatewayHeaders,
    json: request && jsonFor(target, request as WireRequest),
    upload: (said) =>
      fileUpload(body, uploadLimits(road), said, (name) => declareLoss(exchange, target.provider, new Set([name]))),
  };
}

/** The body, shaped by the config, with the model the target is for. An empty one is none. */
function jsonFor(target: Target, request: WireRequest): unknown {
  if (!request.bytes || request.bytes.length === 0) return undefined;
  const { json } = shapedFor(target, request);
  return target.model === undefined || typeof json !== "object" ? json : { ...json, model: target.model };
}

/** An answer that is made here. */
export function written(target: Target, body: unknown): Result {
  const headers = { "content-type": "application/json" };
  return { kind: "whole", target, outcome: outcomeOf(200), headers, bytes: Buffer.from(JSON.stringify(body)) };
}

/** The first piece is waited for: where there is none, the client can still be told so. */
async function piped(
  target: Target,
  { contentType, length, content }: ByteAnswer,
  witness: Witness | undefined,
): Promise<Result> {
  const pieces = content[Symbol.asyncIterator]();
  const first = await pieces.next();
  return {
    kind: "piped",
    target,
    outcome: outcomeOf(200),
    headers: { "content-type": contentType, ...(length !== undefined && { "content-length": length }) },
    bytes: withFirst(first, pieces),
    abandon: () => void pieces.return?.(),
    witness,
  };
}

async function* withFirst(first: IteratorResult<Buffer>, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let step = first; !step.done; step = await pieces.next()) yield step.value;
  } finally {
    await pieces.return?.();
  }
}

/** What the client gets of a vendor that refused one of several calls. */
export function refused(road: Road, target: Target, { status, headers, body, reason }: VendorRefusal): Result {
  const passed = refusalHeaders(headers, road.settings.headerPrefixes, target.provider.secrets);
  for (const name of Object.keys(passed)) if (name.startsWith("content-")) delete passed[name];
  const outcome = outcomeOf(status, headers, reason === undefined ? {} : { reason });
  const rendered = { bytes: Buffer.from(JSON.stringify(body)), contentType: "application/json" };
  return whole(target, { kind: "answer", status, body }, outcome, rendered, passed);
}
