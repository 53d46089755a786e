import type { ServerResponse } from "node:http";
import { eventFrame } from "../../core/index.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import {
  list,
  Memory,
  must,
  type Piece,
  Refused,
  type Speaker,
  text,
  type Wire,
  wire,
} from "../conformance/conversations/speaker.ts";
import { json, type Received } from "../support/upstream.ts";
import { isCalled } from "./agent.ts";
import { offeredIn } from "./offered.ts";
import type { Vendor } from "./vendors.ts";

/** What a vendor was asked, and what was said in which words. */
export interface Taken {
  readonly speaker: Speaker;
  readonly body: Wire;
  readonly text: string;
  readonly headers: Received["headers"];
}

/** A vendor that says what is planned, once a request is one that it takes. */
export class StandIn {
  readonly memory = new Memory();
  readonly taken: Taken[] = [];
  /** What it says next. */
  plan: readonly Piece[] = [];
  /** What comes of its next answers, where that is another. */
  alter: ((answer: Wire) => Wire) | undefined;
  /** Why it refused a request. */
  refused: unknown;
  readonly #vendor: Vendor;
  readonly #client: string;
  readonly #speakers: readonly Speaker[];

  constructor(vendor: Vendor, client: string) {
    this.#vendor = vendor;
    this.#client = client;
    this.#speakers = vendor.speaks(client);
  }

  /** The ids of the calls in its last answer. */
  callIds: readonly unknown[] = [];

  answer({ url, headers, body }: Received, response: ServerResponse): void {
    try {
      this.#answer(url, headers, body.toString(), response);
    } catch (error) {
      this.refused = error;
      json(response, 400, { error: { message: String(error), type: "invalid_request_error" } });
    }
  }

  #answer(url: string, headers: Received["headers"], written: string, response: ServerResponse): void {
    const { memory } = this;
    const body: Wire = JSON.parse(written);
    const speaker = this.#speakers.find(({ format }) => isPathOf(format.name, url));
    must(speaker, "a path of a format it speaks", url);
    this.taken.push({ speaker, body, text: written, headers });
    const model = this.#vendor.model;
    speaker.check(this.#seen(body, written, speaker), memory, { model, own: false });
    this.#vendor.check?.(body);
    const pieces = this.plan.map((piece) => named(piece, speaker.format.name, body));
    // Calls of Gemini have ids, as newer models give them.
    const style = speaker.format.name === "gemini" ? 1 : 0;
    const plan = { pieces, ending: "stop" as const, style, sizes: [9, 4] };
    const said = this.#dressed(speaker.answer(plan, memory, body, model), pieces, speaker.format.name, body);
    const answer = this.alter?.(said) ?? said;
    this.callIds = speaker.calls(answer).map(({ id }) => id);
    if (!isStream(url, body)) return json(response, 200, answer);
    const frames = speaker.frames(answer, plan);
    const isAws = url.endsWith("-stream");
    const type = isAws ? "application/vnd.amazon.eventstream" : "text/event-stream";
    response.writeHead(200, { "content-type": type });
    const isInvoked = url.endsWith("/invoke-with-response-stream");
    response.end(isInvoked ? invoked(frames) : Buffer.from(frames, framingRules(speaker.format.framing).encoding));
  }

  #seen(body: Wire, written: string, { format }: Speaker): Wire {
    const { passesOver } = this.#vendor;
    if (passesOver === undefined || format.name !== this.#client) return body;
    return JSON.parse(written, (name, value: unknown) => (name === passesOver ? undefined : value));
  }

  #dressed(answer: Wire, pieces: readonly Piece[], name: string, asked: Wire): Wire {
    const { callId, thinksAloud } = this.#vendor;
    if (name === "openai-responses")
      return { ...answer, output: list(answer.output).map((item) => ownCall(item, asked)) };
    if (name !== "openai-chat") return answer;
    const [choice = {}] = list(answer.choices);
    const { tool_calls: calls, ...message } = wire(choice.message);
    const thought = pieces.flatMap((piece) => (piece.kind === "thought" ? piece.text : [])).join("");
    const said = {
      ...message,
      ...(thinksAloud && thought !== "" && { reasoning_content: thought }),
      ...(calls !== undefined && {
        tool_calls: list(calls).map((call) => (callId ? { ...call, id: callId(this.memory.next()) } : call)),
      }),
    };
    return { ...answer, choices: [{ ...choice, message: said }] };
  }

  /** Throws why it refused a request, if it did. */
  mustHaveTaken(): void {
    if (this.refused instanceof Refused || this.refused instanceof Error) throw this.refused;
  }
}

/** A call as what is offered is called. */
function named(piece: Piece, format: string, body: Wire): Piece {
  if (piece.kind !== "call") return piece;
  const offered = offeredIn(format, body);
  const tool = offered.find(({ name, isHosted }) => !isHosted && isCalled(name.replace("|", "_"), piece.name));
  must(tool, "the tool is offered", { wanted: piece.name, offered });
  return { ...piece, name: tool.name };
}

/** Calls of groups and searches, as the Responses API tells them. */
function ownCall(item: Wire, asked: Wire): Wire {
  const [group, name] = text(item.name).split("|");
  if (item.type !== "function_call" || name === undefined) return item;
  const takesText = offeredIn("openai-responses", asked).some((one) => one.name === item.name && one.takesText);
  if (takesText) {
    const { arguments: args, ...call } = item;
    const { input } = JSON.parse(text(args));
    return {
      ...call,
      type: "custom_tool_call",
      id: text(item.id).replace("fc_", "ctc_"),
      namespace: group,
      name,
      input,
    };
  }
  if (group !== "") return { ...item, namespace: group, name };
  const { id, call_id, status } = item;
  const search = {
    type: "tool_search_call",
    id: text(id).replace("fc_", "tsc_"),
    call_id,
    execution: "client",
    status,
  };
  return { ...search, arguments: JSON.parse(text(item.arguments)) };
}

const paths: Readonly<Record<string, RegExp>> = {
  "openai-chat": /\/chat\/completions$/,
  "openai-responses": /\/responses$/,
  "anthropic-messages": /\/messages(?:\?|$)|\/invoke(?:-with-response-stream)?$/,
  gemini: /:(?:streamG|g)enerateContent/,
  "bedrock-converse": /\/converse(?:-stream)?$/,
  "cohere-chat": /\/v2\/chat$/,
};
const isPathOf = (format: string, url: string): boolean => paths[format]?.test(url) ?? false;

const isStream = (url: string, body: Wire): boolean => body.stream === true || /-stream$|:stream/.test(url);

/** Events of the Messages API as Bedrock sends them. */
const invoked = (frames: string): Buffer =>
  Buffer.from(
    [...frames.matchAll(/^data: (.*)$/gm)]
      .map(([, data = ""]) => eventFrame("chunk", JSON.stringify({ bytes: Buffer.from(data).toString("base64") })))
      .join(""),
    "latin1",
  );
