import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import type { Wire } from "../conformance/conversations/speaker.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";
import { type Asking, askings, endIn, type Seen, seenIn, textIn } from "./asking.ts";
import { type Failing, failing, type Refusal } from "./failures.ts";
import { configFor } from "./play.ts";
import { StandIn } from "./stand-in.ts";
import { type Vendor, vendors } from "./vendors.ts";

/** One vendor for each format. */
const models: ReadonlySet<string> = new Set([
  ...["deepseek-v4", "gpt-5.6", "claude-opus-4-8", "gemini-3-pro-preview", "us.amazon.nova-premier-v1:0"],
  "command-a-reasoning-08-2025",
]);
const some = vendors.filter(({ model }) => models.has(model));

/** How the next answer fails, once: given what was to be answered, in bytes. */
type Fault = (response: ServerResponse, whole: Buffer) => void;

const refusing =
  ({ status, body, headers }: Refusal, more: Record<string, string> = {}): Fault =>
  (response) =>
    json(response, status, body, { ...headers, ...more });

/** About half of a stream, none of its events in pieces where these are lines. */
function halfOf(whole: Buffer, framing: string | undefined): Buffer {
  if (framing !== "aws-event-stream") {
    const frames = whole.toString().split("\n\n");
    return Buffer.from(`${frames.slice(0, Math.ceil(frames.length / 2)).join("\n\n")}\n\n`);
  }
  let end = 0;
  while (end < whole.length / 2) end += whole.readUInt32BE(end);
  return whole.subarray(0, end);
}

class Table {
  fault: Fault | undefined;
  readonly stand: StandIn;
  readonly failing: Failing;
  readonly bodies: string[] = [];
  readonly #asking: Asking;
  readonly #vendor: Vendor;
  readonly #framing: string | undefined;
  #url = "";

  constructor(asking: Asking, vendor: Vendor) {
    const client = asking.agent.speaker.format.name;
    const [{ format }] = vendor.speaks(client);
    this.#asking = asking;
    this.#vendor = vendor;
    this.#framing = format.framing;
    this.stand = new StandIn(vendor, client);
    this.failing = failing[format.name] as Failing;
  }

  async start(): Promise<void> {
    const upstream = await startUpstream((request, response) => {
      const { fault } = this;
      this.fault = undefined;
      this.bodies.push(request.body.toString());
      if (!fault) return this.stand.answer(request, response);
      const kept = { writeHead: () => kept, end: (whole: Buffer) => fault(response, whole) };
      this.stand.answer(request, kept as unknown as ServerResponse);
    });
    this.#url = (await startTestGateway(configFor(this.#vendor, upstream.url))).url;
  }

  /** What the agent gets of its first turn, or how it fails. */
  async ask(maxRetries = 0): Promise<readonly Wire[] | Seen> {
    const { agent, ask } = this.#asking;
    const { model } = this.#vendor;
    const [turn] = agent.turns;
    // Calls of Gemini are whole where they are there: an answer with one waits for its result, whatever else it says.
    this.stand.plan = (turn?.pieces ?? []).filter(({ kind }) => kind !== "call" || !this.stand.alter);
    const request = agent.ask(agent.question(turn?.asks ?? "", true, model), model);
    const answer = await ask(this.#url, request, model, maxRetries).catch(seenIn);
    this.stand.mustHaveTaken();
    return answer;
  }

  async failWith(fault: Fault): Promise<Seen> {
    this.fault = fault;
    this.bodies.length = 0;
    const seen = await this.ask();
    expect(seen).toHaveProperty("message");
    return seen as Seen;
  }

  /** The same turn again, which begins as it did and is answered. */
  async again(): Promise<void> {
    this.isWhole(await this.ask());
    expect(this.bodies).toHaveLength(2);
    expect(this.bodies[1]).toBe(this.bodies[0]);
  }

  isWhole(answer: readonly Wire[] | Seen): void {
    expect(answer, JSON.stringify(answer)).toBeInstanceOf(Array);
    expect(textIn(answer as readonly Wire[])).toContain("T1z let me see.");
  }

  stream(after: (response: ServerResponse) => void): Fault {
    return (response, whole) => {
      response.writeHead(200, { "content-type": framingRules(this.#framing as never).contentType });
      response.write(halfOf(whole, this.#framing), () => after(response));
    };
  }

  get event(): Buffer {
    return Buffer.from(this.failing.event, framingRules(this.#framing as never).encoding);
  }
}

/** How an answer ends that was too long, and one that must not be. */
const ends: Readonly<Record<string, readonly [string, string]>> = {
  "anthropic-messages": ["max_tokens", "refusal"],
  "openai-responses": ["max_output_tokens", "content_filter"],
  gemini: ["MAX_TOKENS", "SAFETY"],
  "openai-chat": ["length", "content_filter"],
};

const soon = { "retry-after-ms": "1" };

const cells = askings.flatMap((asking) => some.map((vendor) => ({ asking, vendor, name: asking.agent.name })));

describe.each(cells)("$name at $vendor.model", ({ asking, vendor }) => {
  const { agent, retries } = asking;
  const isOf = (name: string): boolean => agent.speaker.format.name === name;

  it("is refused in words it acts on, and goes on with the same turn", async () => {
    const table = new Table(asking, vendor);
    await table.start();
    const { tooMany, overloaded, broken, tooLong } = table.failing;
    for (const refusal of [tooMany, overloaded, broken, tooLong]) {
      const { status } = refusal;
      const seen = await table.failWith(refusing(refusal, { "retry-after": "7" }));
      expect(seen.status).toBe(status);
      expect(seen.message).toContain(`${vendor.provider} error: ${saidIn(refusal)}`);
      if (seen.header) expect(seen.header("retry-after")).toBe("7");
      // It has no number of its own for an overload, as Anthropic has.
      if (isOf("gemini")) expect(seen.error?.code).toBe(status === 529 ? 503 : status);
      // Its SDK shows no headers, by which others know how long to wait.
      if (isOf("gemini"))
        expect(seen.error?.details).toContainEqual({
          "@type": "type.googleapis.com/google.rpc.RetryInfo",
          retryDelay: "7s",
        });
      if (isOf("gemini") && vendor.provider === "google")
        expect(seen.error?.details).toEqual(expect.arrayContaining(((refusal.body.error as Wire).details as []) ?? []));
      if (isOf("anthropic-messages") && refusal === tooLong)
        expect(seen.message).toMatch(/prompt is too long|input is too long for requested model/i);
      await table.again();
    }
  });

  // Some SDKs ask once only.
  if (retries)
    it("asks again by itself where it is told when", async () => {
      const table = new Table(asking, vendor);
      await table.start();
      const { tooMany, overloaded, broken, tooLong } = table.failing;
      for (const refusal of [tooMany, overloaded, broken]) {
        table.fault = refusing(refusal, soon);
        table.bodies.length = 0;
        table.isWhole(await table.ask(1));
        expect(table.bodies).toEqual([table.bodies[0], table.bodies[0]]);
      }
      // Whether it is to, the vendor may say.
      table.fault = refusing(tooLong, { ...soon, "x-should-retry": "true" });
      table.isWhole(await table.ask(1));
      table.fault = refusing(broken, { ...soon, "x-should-retry": "false" });
      expect(await table.ask(1)).toMatchObject({ status: 500 });
    });

  it("is told of a failure in the middle, and goes on with the same turn", async () => {
    const table = new Table(asking, vendor);
    await table.start();
    const said = await table.failWith(table.stream((response) => response.end(table.event)));
    expect(said.message).toMatch(/overloaded|busy|unable to process/i);
    await table.again();
    for (const after of [
      (response: ServerResponse) => response.end(),
      (response: ServerResponse) => response.destroy(),
    ]) {
      const seen = await table.failWith(table.stream(after));
      expect(seen.message).toMatch(/stream|connection/i);
      if (isOf("gemini")) expect([500, 503]).toContain(seen.status);
      await table.again();
    }
  });

  it("is told that an answer was too long, and that a filter stopped it", async () => {
    const table = new Table(asking, vendor);
    await table.start();
    const { truncated, filtered } = table.failing;
    const [long, stopped] = ends[agent.speaker.format.name] ?? [];
    for (const [alter, end] of [[truncated, long] as const, ...(filtered ? [[filtered, stopped] as const] : [])]) {
      table.stand.alter = alter;
      expect(endIn((await table.ask()) as readonly Wire[])).toBe(end);
    }
  });

  it("takes a failure with status 200 for one", async () => {
    const table = new Table(asking, vendor);
    await table.start();
    const { body } = table.failing.overloaded;
    const seen = await table.failWith((response) => json(response, 200, body));
    expect(seen.status).toBeGreaterThanOrEqual(500);
    expect(seen.message).toContain(saidIn(table.failing.overloaded));
    await table.again();
  });
});

const saidIn = ({ body }: Refusal): string => String((body.error as Wire | undefined)?.message ?? body.message);
