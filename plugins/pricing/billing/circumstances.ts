import { type Attempt, isRecord, jsonOr, type Usage } from "../../../core/index.ts";
import type { Circumstances } from "../prices/circumstances.ts";
import { mayShow, type ShownKind } from "./shown.ts";

type Call = Pick<Attempt, "asked"> & Partial<Pick<Attempt, "received">>;

/** What of a call, besides its model, prices may depend on; read only where they do. */
export class CallCircumstances implements Circumstances {
  readonly batch: boolean;
  readonly calls: number;
  readonly #call: Call;
  readonly #usage: Usage | undefined;

  constructor(call: Call, batch: boolean, calls = 1, usage?: Usage) {
    this.#call = call;
    this.#usage = usage;
    this.batch = batch;
    this.calls = calls;
  }

  /** The answer says which one it was after all: with what it used, or elsewhere in it. Only one that does not was as asked. */
  tier(): string | undefined {
    const tier = this.#usage?.serviceTier ?? this.#tierReceived() ?? textIn(bodyOf(this.#call.asked), "service_tier");
    // A batch has prices of its own, or half of the others: those of the tier that vendors call so would be halved again.
    return this.batch && tier === "batch" ? undefined : tier;
  }

  #tierReceived(): string | undefined {
    const { received } = this.#call;
    if (!received?.includes("service_tier") && !received?.includes("serviceTier")) return undefined;
    const [first, ...others] = endsOf(received).matchAll(tierPattern);
    if (others.length === 0 && usualTiers.has(first?.[1])) return first?.[1];
    const answer = jsonOr(received.toString());
    const { usage, serviceTier } = isRecord(answer) ? answer : {};
    return textIn(answer, "service_tier") ?? textIn(usage, "service_tier") ?? textIn(serviceTier, "type");
  }

  image(): ReturnType<NonNullable<Circumstances["image"]>> {
    const body = bodyOf(this.#call.asked);
    return { quality: textIn(body, "quality"), size: textIn(body, "size") ?? sizeIn(body) };
  }

  readonly mayShow = (kind: ShownKind): boolean => mayShow(this.#call.asked, kind);

  /** As the answer counts it, or else as the request asks for it: in its options, or at the tool that searches. */
  searchContext(): string | undefined {
    const { received, asked } = this.#call;
    const body = bodyOf(asked);
    const { web_search_options: options, tools } = isRecord(body) ? body : {};
    const answer = received && jsonOr(received.toString());
    const places = [isRecord(answer) ? answer.usage : undefined, options, ...(Array.isArray(tools) ? tools : [])];
    return places.map((place) => textIn(place, "search_context_size")).find((size) => size !== undefined);
  }
}

/** Some vendors are told the two apart. */
const sizeIn = (body: unknown): string | undefined => {
  const { width, height } = isRecord(body) ? body : {};
  return typeof width === "number" && typeof height === "number" ? `${width}x${height}` : undefined;
};

const textIn = (body: unknown, name: string): string | undefined => {
  const value = isRecord(body) ? body[name] : undefined;
  return typeof value === "string" ? value : undefined;
};

function bodyOf(asked: Attempt["asked"]): unknown {
  try {
    return asked?.json;
  } catch {
    return undefined;
  }
}

/** Bytes at either end of an answer where its model and its tier are looked for. */
const looked = 4096;

/** Arguments of a call may look like it: what is named once, and is the usual one, is believed without parsing the answer. */
const tierPattern = /"service_tier"\s*:\s*"([^"\\]{0,100})"/g;
const usualTiers: ReadonlySet<unknown> = new Set(["default", "standard", "on_demand"]);

/** The model an answer says it is from; undefined where it does not say. Nothing is parsed for it. */
export function modelIn(received: Buffer | undefined): string | undefined {
  return received && /"(?:model|modelVersion)"\s*:\s*"([^"\\]{1,200})"/.exec(endsOf(received))?.[1];
}

const endsOf = (received: Buffer): string =>
  received.length <= 2 * looked
    ? received.toString("latin1")
    : received.toString("latin1", 0, looked) + received.toString("latin1", received.length - looked);
