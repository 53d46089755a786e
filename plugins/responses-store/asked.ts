import {
  type ChatRequest,
  chosenOperation,
  type Exchange,
  type Fields,
  type GatewayRequest,
  type Message,
} from "../../core/index.ts";
import { formatName } from "./kept-response.ts";
import { ownId, ownIds } from "./own-ids.ts";
import { refersToOwn } from "./references.ts";

/** Whom a client waits for, or a copy of what it asked, which is answered to nobody. */
const isOfClient = (role: Exchange["role"]): boolean => role === undefined || role === "shadow";

/** The formats of requests that may go on from a response: for one more, or to know how long it would be. */
const formats: Readonly<Record<string, string>> = { chat: formatName, count: "openai-input-tokens" };

/** Whether a request may go on from a response. */
export const mayGoOn = ({ operation, format }: GatewayRequest, { role }: Exchange): boolean =>
  operation !== undefined && format !== undefined && format === formats[operation] && isOfClient(role);

/** Of those: one for a provider that does not serve its format itself, or not for the model that is asked. */
export function isForeign(request: GatewayRequest, { attempt, headers }: Exchange): boolean {
  const { operation, format, model = "" } = request;
  if (!operation || format === undefined) return false;
  const { operations, modelBehind } = attempt?.target.provider ?? {};
  const asked = { format, model: modelBehind?.(model) ?? model, headers, request };
  const offered = operations?.[operation];
  const spec = offered && chosenOperation(offered, asked);
  return spec !== undefined && spec.format !== format;
}

/** Whether a request stands on what may be kept here: told by its bytes, which are read only where they have an id of the gateway's. */
export function standsOnOwn(request: GatewayRequest, exchange: Exchange): boolean {
  const { bytes, keys } = request;
  if (bytes && keys?.has("previous_response_id") === false && !bytes.includes('"item_reference"')) return false;
  if (bytes && !ownIds.test(bytes.toString("latin1"))) return false;
  const { previous_response_id: previous, input } = askedIn(request, exchange) ?? {};
  return (typeof previous === "string" && ownId.test(previous)) || refersToOwn(input);
}

/** A request as its client wrote it and its config shaped it; as it was written where somebody has changed it since. */
export const askedIn = (request: GatewayRequest, exchange: Exchange): Readonly<Fields> =>
  (request.bytes ? request : exchange.request)?.json as Readonly<Fields>;

/** The instructions of a request stand before its input, which may hold system messages of its own. */
export function sorted(
  messages: readonly Message[],
  { instructions }: Readonly<Fields>,
): { instructions: readonly Message[]; said: readonly Message[] } {
  const instructed = typeof instructions === "string" && instructions !== "" && messages[0]?.role === "system" ? 1 : 0;
  return { instructions: messages.slice(0, instructed), said: messages.slice(instructed) };
}

/** What is done here nobody else has to be asked for, and nothing of it is lost. */
export function without(name: "store" | "previous_response_id", { extra, ...body }: ChatRequest): ChatRequest {
  if (!extra) return body;
  const { [name]: _, ...fields } = extra.fields as Readonly<Fields>;
  return { ...body, extra: { ...extra, fields } };
}
