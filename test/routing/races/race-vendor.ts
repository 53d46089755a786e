import type { IncomingMessage, ServerResponse } from "node:http";
import { chunk } from "../../support/two-vendors.ts";
import { startUpstream } from "../../support/upstream.ts";
import type { Behaviour } from "./race-trees.ts";

/** One call, as the vendor saw it. */
export interface Seen {
  readonly path: string;
  readonly number: number;
  readonly from: number;
  /** When it was through, or its caller left. */
  to?: number;
  whole: boolean;
}

export const piecesOf = (said: string): readonly [string, string] => [
  chunk({ role: "assistant", content: said }),
  `${chunk({}, "stop")}data: [DONE]\n\n`,
];

export const wholeOf = (said: string): string =>
  JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: said }, finish_reason: "stop" }],
  });

/** What a vendor says in a call: where it was made in the config, and the how many-th of that leaf it was. */
export const saidIn = ({ path, number }: Pick<Seen, "path" | "number">): string => `${path} ${number}`;

interface Answering {
  readonly said: string;
  readonly isStreamed: boolean;
  readonly response: ServerResponse;
  readonly incoming: IncomingMessage;
}

/** A vendor that takes its time, and notes who waited for it how long. */
export async function startRaceVendor() {
  const seen: Seen[] = [];
  let behaviourOf: (call: Seen) => Behaviour | undefined = () => undefined;
  const upstream = await startUpstream(({ body }, response, incoming) => {
    const { model: path, stream } = JSON.parse(`${body}`) as { model: string; stream?: boolean };
    const call: Seen = {
      path,
      number: seen.filter((one) => one.path === path).length,
      from: Date.now(),
      whole: false,
    };
    seen.push(call);
    // Connections that are kept have timers, of which there would be as many as calls beside each other.
    response.setHeader("connection", "close");
    const answering = { said: saidIn(call), isStreamed: stream === true, response, incoming };
    const behaviour = behaviourOf(call);
    const cancel = behaviour ? behave(behaviour, answering) : wellAtOnce(answering);
    response.on("close", () => {
      cancel();
      call.to = Date.now();
      call.whole = response.writableFinished;
    });
  });
  return {
    url: upstream.url,
    seen,
    /** Answers so from now on, and has seen nothing yet. */
    follow(how: typeof behaviourOf) {
      behaviourOf = how;
      seen.length = 0;
    },
  };
}

function wellAtOnce({ said, response }: Answering): () => void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(wholeOf(said));
  return () => undefined;
}

function behave({ kind, status, after, tail }: Behaviour, answering: Answering): () => void {
  const { said, isStreamed, response, incoming } = answering;
  const timers = new Set<NodeJS.Timeout>();
  const later = (milliseconds: number, act: () => void) => void timers.add(setTimeout(act, milliseconds));
  const [first, rest] = isStreamed ? piecesOf(said) : [wholeOf(said).slice(0, 40), ""];
  const begin = () => {
    response.writeHead(200, { "content-type": isStreamed ? "text/event-stream" : "application/json" });
    response.write(first);
  };
  if (kind === "silent") return () => undefined;
  later(after, () => {
    switch (kind) {
      case "reset":
        return void incoming.socket.resetAndDestroy();
      case "refuses":
        response.writeHead(status, { "content-type": "application/json" });
        return void response.end(JSON.stringify({ error: { message: `No: ${said}`, type: "t", code: "e" } }));
      case "cut":
        begin();
        return later(tail, () => void incoming.socket.destroy());
      case "well":
        if (!isStreamed) return void wellAtOnce(answering);
        begin();
        return later(tail, () => void response.end(rest));
    }
  });
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
