import type { WireEvent } from "../../model/framing.ts";

/** The events of whole server-sent frames. Comments, ids and retry times are dropped; events without data too. */
export function eventsOf(text: string): WireEvent[] {
  const source = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const events: WireEvent[] = [];
  let event: string | undefined;
  let data: string | undefined;
  for (let at = 0; at <= source.length; ) {
    const stop = source.indexOf("\n", at);
    const end = stop < 0 ? source.length : stop;
    if (end === at) {
      if (data !== undefined) events.push(event === undefined ? { data } : { event, data });
      event = undefined;
      data = undefined;
    } else if (source.startsWith("data:", at)) {
      const value = source.slice(valueStart(source, at + 5), end);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (source.startsWith("event:", at)) {
      event = source.slice(valueStart(source, at + 6), end);
    }
    at = end + 1;
  }
  if (data !== undefined) events.push(event === undefined ? { data } : { event, data });
  return events;
}

const valueStart = (source: string, at: number) => (source.charCodeAt(at) === 0x20 ? at + 1 : at);

/** The events of newline-delimited JSON: a line each. */
export const linesOf = (text: string): WireEvent[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((data) => ({ data }));
