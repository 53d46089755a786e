import { type Fields, isRecord } from "../../core/index.ts";
import type { SteerEvent } from "./client-event.ts";

/** An event as a frame, with the lane it belongs to. Events are JSON objects, and none is empty. */
export const inLane = (event: string, lane: string | undefined): string =>
  lane === undefined ? event : event.replace("{", () => `{"stream_id":${JSON.stringify(lane)},`);

/** What an answer by POST says in its headers, in the first of its events. */
export function withHeaders(event: string, headers: Headers): string {
  const told = toldIn(headers);
  return told ? event.replace("{", () => `{"headers":${JSON.stringify(told)},`) : event;
}

/** How an answer by POST that is no success is told (`ResponseWsError`; Codex reads headers beside the error). */
export function errorEvent(status: number, body: unknown, headers: Headers = {}): string {
  const told = toldIn(headers);
  const error = isRecord(body) && isRecord(body.error) ? body.error : { message: text(body) };
  const { message, type = null, param = null, code = null, ...more } = error;
  return JSON.stringify({
    type: "error",
    status,
    error: { type, code, message, param, ...more, ...(told && { headers: told }) },
    ...(told && { headers: told }),
  });
}

type Headers = Readonly<Record<string, unknown>>;

function toldIn(headers: Headers): Record<string, string> | undefined {
  const told = Object.entries(headers).filter(([name]) => isTold.test(name));
  return told.length > 0 ? Object.fromEntries(told.map(([name, value]) => [name, String(value)])) : undefined;
}

const isTold = /^(?:retry-after|x-ratelimit-|x-gateway-)/;

const text = (body: unknown): string =>
  isRecord(body) && typeof body.message === "string" ? body.message : (JSON.stringify(body) ?? "");

/** Nothing is added to a response under way: its input is given back, for a turn of its own. */
export const unsteered = ({ previous, input }: SteerEvent): string =>
  JSON.stringify({
    type: "response.steer.failed",
    sequence_number: 0,
    steer: { previous_response_id: previous, input },
    error: {
      type: "invalid_request_error",
      code: "steering_not_supported",
      message: "Responses cannot be steered here: send the input in a response.create when this one has ended.",
    },
  });

/** The events of a response that was only prepared: no model was asked, so nobody knows what it would have counted. */
export function prepared(id: string, asked: Readonly<Fields>, seconds: number): readonly string[] {
  const response = {
    id,
    object: "response",
    created_at: seconds,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    metadata: asked.metadata ?? {},
    model: asked.model ?? null,
    output: [],
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: asked.previous_response_id ?? null,
    reasoning: asked.reasoning ?? { effort: null, summary: null },
    store: false,
    temperature: asked.temperature ?? null,
    text: asked.text ?? { format: { type: "text" } },
    tool_choice: asked.tool_choice ?? "auto",
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? null,
    usage: null,
  };
  const ended = { ...response, status: "completed", completed_at: seconds };
  return [
    JSON.stringify({ type: "response.created", sequence_number: 0, response }),
    JSON.stringify({ type: "response.completed", sequence_number: 1, response: ended }),
  ];
}
