import type { WireEvent } from "../../model/framing.ts";

/**
 * The events of whole server-sent frames. Comments, ids and retry times are dropped; events without data too. An error that stands there
 * as bare JSON, as Google sends them in the middle of a stream, is read as if it were data.
 */
export function eventsOf(text: string): WireEvent[] {
  const source = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const events: WireEvent[] = [];
  let event: string | undefined;
  let data: string | undefined;
  let from = 0;
  // The end of the text ends a frame, as a blank line does.
  for (let at = 0; at <= source.length + 1; ) {
    const stop = source.indexOf("\n", at);
    const end = stop < 0 ? Math.max(at, source.length) : stop;
    if (end === at) {
      data ??= bareError(source, from, at);
      if (data !== undefined) events.push(event === undefined ? { data } : { event, data });
      event = undefined;
      data = undefined;
      from = end + 1;
    } else if (source.startsWith("data:", at)) {
      const value = source.slice(valueStart(source, at + 5), end);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (source.startsWith("event:", at)) {
      event = source.slice(valueStart(source, at + 6), end);
    }
    at = end + 1;
  }
  return events;
}

/** The text of a frame without data that is nothing but an error. */
export function bareError(source: string, from = 0, to = source.length): string | undefined {
  const first = source[from];
  if (first !== "{" && first !== "[") return undefined;
  const text = source.slice(from, to).trim();
  if (!/^(?:\[\s*)?\{\s*"error"\s*:/.test(text)) return undefined;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

const valueStart = (source: string, at: number) => (source.charCodeAt(at) === 0x20 ? at + 1 : at);

/** The events of newline-delimited JSON: a line each. */
export const linesOf = (text: string): WireEvent[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((data) => ({ data }));
