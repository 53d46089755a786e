import { Agent, request } from "node:http";
import type { Fields } from "../../core/index.ts";
import { turns } from "./vendors.ts";

export interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of a stream, its events. */
  readonly events: readonly Fields[] | undefined;
  readonly body: Fields;
  /** Whether all of it came. */
  readonly isWhole: boolean;
}

export interface Sending {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Fields;
  /** After so many turns of the event loop the client leaves. */
  readonly leaves?: number | undefined;
  /** Called with the id of a streamed response as soon as that is known. */
  readonly begun?: (id: string) => void;
}

const agent = new Agent({ keepAlive: true });

/** Calls, and reads what comes to its end, or for as long as the client stays. */
export function heard(url: string, { method, path, headers, body, leaves, begun }: Sending): Promise<Heard> {
  return new Promise((resolve) => {
    const options = { method, agent, headers: { "content-type": "application/json", ...headers } };
    let text = "";
    let status = 0;
    let isWhole = false;
    let answered: Heard["headers"] = {};
    const outgoing = request(url + path, options, (response) => {
      status = response.statusCode ?? 0;
      answered = response.headers;
      response
        .setEncoding("utf8")
        .on("data", (piece: string) => {
          text += piece;
          const id = begun && /"id":"(resp_[^"]+)"/.exec(text)?.[1];
          if (id) begun(id);
        })
        .on("error", () => undefined)
        .on("end", () => {
          isWhole = true;
        });
    });
    outgoing
      .on("error", () => undefined)
      .on("close", () => {
        const isStream = String(answered["content-type"]).startsWith("text/event-stream");
        const events = isStream ? eventsIn(text) : undefined;
        resolve({ status, headers: answered, events, body: isStream || !isWhole ? {} : JSON.parse(text), isWhole });
      });
    outgoing.end(body && JSON.stringify(body));
    if (leaves !== undefined) void turns(leaves).then(() => outgoing.destroy());
  });
}

const eventsIn = (text: string): Fields[] =>
  text
    .split("\n\n")
    .slice(0, -1)
    .map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "{}") as Fields);
