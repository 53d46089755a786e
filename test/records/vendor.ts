import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { askedIn, transcript, transcriptEvents } from "./audio.ts";

/** One call, as the vendor saw it. What it told of its usage is what records have to say. */
export interface VendorCall {
  /** The provider that was called. */
  readonly slug: string;
  readonly model: string;
  readonly told: boolean;
}

/** What a model uses: each has numbers of its own, which its name ends with. */
export const usedBy = (model: string): { readonly input: number; readonly output: number } => {
  const number = Number(model.split(":")[1] ?? 0);
  return { input: 10 + ((number * 7) % 1000), output: 1 + ((number * 3) % 100) };
};

interface Said {
  readonly path: string;
  readonly model: string;
  readonly stream: boolean;
}

const text = "Four words of tea.";

/** A whole answer of each endpoint, with what it used where that is told. */
function wholeOf({ path, model }: Said, told: boolean): object {
  const { input, output } = usedBy(model);
  const tokens = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  if (path.endsWith("/messages"))
    return {
      ...{ id: "m", type: "message", role: "assistant", model, content: [{ type: "text", text }] },
      ...{ stop_reason: "end_turn", stop_sequence: null },
      ...(told && { usage: { input_tokens: input, output_tokens: output } }),
    };
  if (path.endsWith("/embeddings"))
    return {
      ...{ object: "list", model, data: [{ object: "embedding", index: 0, embedding: [0.5, 1] }] },
      ...(told && { usage: { prompt_tokens: input, total_tokens: input } }),
    };
  if (path.endsWith("/generations"))
    return {
      ...{ created: 1, data: [{ b64_json: "aGk=" }] },
      ...(told && { usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } }),
    };
  if (path.endsWith("/transcriptions")) return transcript(told, input, output);
  if (path.endsWith("/rerank"))
    return {
      ...{ id: "r", results: [{ index: 0, relevance_score: 0.5 }] },
      ...(told && { meta: { billed_units: { search_units: 1 } } }),
    };
  if (path.endsWith("/responses"))
    return {
      ...{ id: "resp_1", object: "response", created_at: 1, status: "completed", model },
      output: [
        {
          ...{ type: "message", id: "msg_1", status: "completed", role: "assistant" },
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ],
      ...(told && { usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } }),
    };
  if (path.endsWith("/chat/completions"))
    return {
      ...{ id: "c", object: "chat.completion", created: 1, model },
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      ...(told && { usage: tokens }),
    };
  return {
    ...{ id: "c", object: "text_completion", created: 1, model, choices: [{ index: 0, text, finish_reason: "stop" }] },
    ...(told && { usage: tokens }),
  };
}

/** The events of a stream, in which usage is told before the end: some words, then the end and what it used. */
function eventsOf({ path, model }: Said, told: boolean): { readonly words: string[]; readonly end: string[] } {
  const { input, output } = usedBy(model);
  const event = (fields: { readonly type: string }) => `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`;
  const data = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`;
  if (path.endsWith("/messages")) {
    const message = { id: "m", type: "message", role: "assistant", model, content: [], stop_reason: null };
    const begun = { ...message, ...(told && { usage: { input_tokens: input, output_tokens: 1 } }) };
    const usage = told && { usage: { output_tokens: output } };
    return {
      words: [
        event({ type: "message_start", message: begun } as { type: string }),
        event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as { type: string }),
        event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } } as { type: string }),
      ],
      end: [
        event({ type: "content_block_stop", index: 0 } as { type: string }),
        event({ type: "message_delta", delta: { stop_reason: "end_turn" }, ...usage } as { type: string }),
        event({ type: "message_stop" }),
      ],
    };
  }
  if (path.endsWith("/responses")) {
    const whole = wholeOf({ path, model, stream: true }, told) as { readonly output: readonly object[] };
    const [item] = whole.output;
    const at = { output_index: 0, item_id: "msg_1", content_index: 0 };
    const begun = { ...whole, status: "in_progress", output: [], usage: null };
    return {
      words: [
        event({ type: "response.created", response: begun } as { type: string }),
        event({ type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } } as never),
        event({ type: "response.content_part.added", ...at, part: { type: "output_text", text: "" } } as never),
        event({ type: "response.output_text.delta", ...at, delta: text } as { type: string }),
      ],
      end: [
        event({ type: "response.output_item.done", output_index: 0, item } as { type: string }),
        event({ type: "response.completed", response: whole } as { type: string }),
      ],
    };
  }
  if (path.endsWith("/transcriptions")) return transcriptEvents(told, input, output);
  const isChat = path.endsWith("/chat/completions");
  const head = { id: "c", object: isChat ? "chat.completion.chunk" : "text_completion", created: 1, model };
  const says = (said: string, finish_reason: string | null) =>
    data({
      ...head,
      choices: [{ index: 0, finish_reason, ...(isChat ? { delta: { content: said } } : { text: said }) }],
    });
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  return {
    words: [says("Four words", null), says(" of tea.", null)],
    end: [says("", "stop"), ...(told ? [data({ ...head, choices: [], usage })] : []), "data: [DONE]\n\n"],
  };
}

type Behaviour = (said: Said, response: ServerResponse, time: number) => boolean;

function answer(told: boolean): Behaviour {
  return (said, response) => {
    if (said.path.endsWith("/speech")) {
      response.setHeader("content-type", "audio/mpeg");
      response.end("Four words of tea.");
      return false;
    }
    if (!said.stream) {
      response.end(JSON.stringify(wholeOf(said, told)));
      return told;
    }
    const { words, end } = eventsOf(said, told);
    response.setHeader("content-type", "text/event-stream");
    response.end(words.join("") + end.join(""));
    return told;
  };
}

const refuse = (status: number, response: ServerResponse, more: object = {}): boolean => {
  response.statusCode = status;
  response.setHeader("retry-after-ms", "1");
  response.end(JSON.stringify({ error: { message: "No.", type: "no" }, ...more }));
  return false;
};

const tells = answer(true);

/** So many turns of the event loop: time goes on without a clock. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}

/** What a vendor does by the model it is asked for; whether it told all that it used. */
const behaviours = {
  tells,
  keeps: answer(false),
  fails: (_, response) => refuse(429, response),
  breaks: (_, response) => refuse(503, response),
  refuses: (_, response) => refuse(400, response),
  "fails-at-first": (said, response, time) => (time === 1 ? refuse(429, response) : tells(said, response, time)),
  /** A whole answer that breaks off is none; a stream has begun by then. */
  cuts(said, response) {
    if (said.stream) response.setHeader("content-type", "text/event-stream");
    const begun = said.stream ? eventsOf(said, false).words.join("") : '{"id":';
    response.write(begun, () => response.destroy());
    return false;
  },
  "cuts-at-once"(_, response) {
    response.destroy();
    return false;
  },
  babbles(_, response) {
    response.end("{oops");
    return false;
  },
  /** Whoever races it, or leaves, has the time to. */
  dawdles(said, response, time) {
    void turns(60).then(() => tells(said, response, time));
    return true;
  },
  drips(said, response, time) {
    if (!said.stream) return tells(said, response, time);
    const { words, end } = eventsOf(said, true);
    response.setHeader("content-type", "text/event-stream");
    response.write(words.join(""));
    void turns(60).then(() => response.end(end.join("")));
    return true;
  },
} as const satisfies Record<string, Behaviour>;

export type Behaves = keyof typeof behaviours;
export const allBehaviours = Object.keys(behaviours) as Behaves[];
export const behaves = (model: string): Behaves => model.split(":")[0] as Behaves;

export interface RecordedVendor {
  readonly url: string;
  readonly calls: VendorCall[];
  stop(): void;
}

/** A vendor of many makes, each below its slug, that does what the name of the model says. */
export async function startVendor(): Promise<RecordedVendor> {
  const calls: VendorCall[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (bytes: Buffer) => pieces.push(bytes));
    incoming.on("end", () => {
      const [, slug = "", ...rest] = (incoming.url ?? "").split("?")[0]?.split("/") ?? [];
      const { model, stream = false } = askedIn(`${Buffer.concat(pieces)}`);
      response.setHeader("content-type", "application/json");
      const time = calls.filter((call) => call.model === model).length + 1;
      const behaviour: Behaviour = behaviours[behaves(model)];
      const told = behaviour({ path: `/${rest.join("/")}`, model, stream }, response, time);
      calls.push({ slug, model, told });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
