import type { ServerResponse } from "node:http";
import { json, type Received, startUpstream, type TestUpstream } from "../support/upstream.ts";
import { type Said, streamed, whole } from "./saying.ts";
import { type FormatName, read, type Words } from "./wire.ts";

/** How a vendor behaves is in its address. */
export const behaviours = ["ok", "long", "fail", "flaky", "cut", "garbled", "babble", "failed", "hold"] as const;
export type Behaviour = (typeof behaviours)[number];
export const makers = { oai: "openai", claude: "anthropic", google: "google" } as const;
export type Maker = keyof typeof makers;

/** What a vendor was asked, as far as its answer says so. */
export interface Seen extends Words {
  /** Slug of the provider it was asked as. */
  readonly at: string;
  readonly region: string | undefined;
}

export interface VendorAnswer {
  readonly seen: Seen;
  readonly said: Said;
  readonly format: FormatName;
  readonly stream: boolean;
}

export interface CacheVendor {
  readonly upstream: TestUpstream;
  /** By their numbers, from 1. */
  readonly answers: VendorAnswer[];
  /** How often a vendor that fails every other time was asked. */
  flaky: number;
}

/** More than an entry may have. */
const padding = "x".repeat(9000);

/** The text of an answer: everything it depends on. */
export const textOf = (number: number, seen: Seen): string =>
  `n=${number} saw=${JSON.stringify(seen)}${seen.at.endsWith("long") ? padding : ""}`;

const suffixes: readonly (readonly [RegExp, FormatName])[] = [
  [/\/chat\/completions$/, "chat"],
  [/\/messages$/, "messages"],
  [/\/responses$/, "responses"],
  [/:(?:g|streamG)enerateContent(?:\?.*)?$/, "gemini"],
];

/** Vendors of three makes that number their answers. `/embed` makes vectors. */
export async function startVendor(): Promise<CacheVendor> {
  const answers: VendorAnswer[] = [];
  const upstream = await startUpstream((received, response) => {
    if (received.url.startsWith("/embed")) return embed(received, response);
    const call = callOf(received);
    const said: Said = {
      id: `v${answers.length + 1}`,
      model: call.seen.model,
      text: textOf(answers.length + 1, call.seen),
      calls: call.seen.tools.length > 0,
      output: call.tells ? answers.length + 1 : undefined,
    };
    answers.push({ ...call, said });
    if (call.seen.at.endsWith("flaky")) return vendor.flaky++ % 2 === 0 ? fail(response) : answer(response, call, said);
    behave[call.seen.at.split("-")[1] as Behaviour](response, call, said);
  });
  const vendor: CacheVendor = { upstream, answers, flaky: 0 };
  return vendor;
}

type Call = Omit<VendorAnswer, "said"> & { readonly tells: boolean };

function callOf({ url, headers, body }: Received): Call {
  const wire = JSON.parse(`${body}`);
  const [, at = ""] = url.split("/");
  const format = suffixes.find(([suffix]) => suffix.test(url))?.[1] ?? "chat";
  const model = format === "gemini" ? (/models\/([^:]+):/.exec(url)?.[1] ?? "") : wire.model;
  const stream = format === "gemini" ? url.includes(":stream") : wire.stream === true;
  const region = headers["x-region"];
  const seen = { at, region: region === undefined ? undefined : String(region), ...read(format, model, wire) };
  return { seen, format, stream, tells: format !== "chat" || !stream || wire.stream_options?.include_usage === true };
}

function fail(response: ServerResponse): void {
  json(response, 429, { error: { message: "No.", type: "server_error" } }, { "retry-after-ms": "1" });
}

function begin(response: ServerResponse, { stream }: Call): void {
  response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
}

function answer(response: ServerResponse, call: Call, said: Said): void {
  begin(response, call);
  response.end(call.stream ? streamed(call.format, said).join("") : whole(call.format, said));
}

/** As much as comes before it breaks. */
const half = ({ stream, format }: Call, said: Said): string =>
  stream
    ? streamed(format, said)
        .slice(0, format === "gemini" ? 1 : 3)
        .join("")
    : whole(format, said).slice(0, 40);

const behave: Readonly<Record<Behaviour, (response: ServerResponse, call: Call, said: Said) => void>> = {
  ok: answer,
  long: answer,
  flaky: answer,
  fail,
  cut(response, call, said) {
    begin(response, call);
    response.write(half(call, said), () => response.destroy());
  },
  garbled(response, call, said) {
    if (!call.stream) return behave.babble(response, call, said);
    const frames = streamed(call.format, said);
    begin(response, call);
    response.end([...frames.slice(0, -1), 'data: {"oops\n\n', ...frames.slice(-1)].join(""));
  },
  babble(response) {
    response.writeHead(200, { "content-type": "application/json" }).end("{oops");
  },
  failed(response) {
    json(response, 200, { error: { message: "No.", type: "server_error" } });
  },
  hold(response, call, said) {
    begin(response, call);
    response.write(half(call, said));
  },
};

/** Texts point to where their first word says, in degrees. */
function embed({ body }: Received, response: ServerResponse): void {
  const { input, model } = JSON.parse(`${body}`);
  const angle = (Number.parseFloat([input].flat()[0]) * Math.PI) / 180;
  json(response, 200, {
    object: "list",
    data: [{ object: "embedding", index: 0, embedding: [Math.cos(angle), Math.sin(angle)] }],
    model,
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
}
