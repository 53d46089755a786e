import { asReadIn, type Fields, GatewayError, isRecord, jsonOr } from "../../core/index.ts";

/** What a client says in a frame: a request for a response, or more to say to one that is under way. */
export type ClientEvent = CreateEvent | SteerEvent;

export interface CreateEvent {
  readonly type: "response.create";
  /** The lane it stands in: one is answered after the other, and lanes beside each other. */
  readonly lane: string | undefined;
  /** False prepares what is to be gone on from, and asks no model. */
  readonly generates: boolean;
  /** As it would be in a request by POST. */
  readonly body: Readonly<Fields>;
  /** Bytes of the frame. */
  readonly size: number;
}

export interface SteerEvent {
  readonly type: "response.steer";
  readonly previous: unknown;
  readonly input: unknown;
}

/**
 * Reads a frame (the events of OpenAI's websocket mode, as its SDK types them: `ResponsesClientEvent`). Throws a GatewayError
 * that names what is wrong.
 */
export function clientEvent(data: Buffer, isBinary: boolean): ClientEvent {
  const event = isBinary ? undefined : jsonOr(data.toString());
  if (!isRecord(event))
    throw refused('A frame must be the text of a JSON object, as {"type": "response.create", …}.', null);
  const { type, stream_id: lane, generate, stream: _, ...body } = event;
  asReadIn(event, body);
  if (type === "response.steer") return { type, previous: event.previous_response_id, input: event.input };
  if (type !== "response.create")
    throw refused(`type must be "response.create", not ${JSON.stringify(type) ?? "absent"}.`, "type");
  if (lane !== undefined && lane !== null && typeof lane !== "string")
    throw refused(`stream_id must be a text, not ${JSON.stringify(lane)}.`, "stream_id");
  if (generate !== undefined && generate !== null && typeof generate !== "boolean")
    throw refused(`generate must be true or false, not ${JSON.stringify(generate)}.`, "generate");
  if (body.background === true)
    throw refused("background is not supported by websocket: send the request by POST.", "background");
  return { type, lane: lane ?? undefined, generates: generate !== false, body, size: data.length };
}

const refused = (message: string, param: string | null) =>
  new GatewayError("invalid_request", message, param === null ? {} : { param });
