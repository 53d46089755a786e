import { isDeepStrictEqual } from "node:util";
import { must, type Piece, type Told, type Wire } from "../conformance/conversations/speaker.ts";
import { startTestGateway } from "../support/gateway.ts";
import { startUpstream } from "../support/upstream.ts";
import { type Agent, type AgentCall, type AgentRequest, isCalled, type Turn } from "./agent.ts";
import { checkBeginning } from "./beginning.ts";
import { offeredIn } from "./offered.ts";
import { StandIn, type Taken } from "./stand-in.ts";
import { checkStream } from "./streams.ts";
import type { Vendor } from "./vendors.ts";

/** What came of a session. */
export interface Played {
  /** What was left out of the conversation, and of what was asked beside it. */
  readonly dropped: readonly string[];
  readonly droppedBeside: readonly string[];
  /** What the vendor was asked in the conversation, and beside it. */
  readonly asked: readonly Taken[];
  readonly beside: readonly Taken[];
}

const formats = ["openai-chat", "openai-responses", "anthropic-messages", "gemini", "bedrock-converse", "cohere-chat"];

export const configFor = ({ provider, options }: Vendor, baseUrl: string): string =>
  JSON.stringify({
    plugins: {
      "auth-open": {},
      routing: { default: provider },
      ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])),
    },
    providers: { [provider]: { ...(!options && { apiKey: "vendor-key-0123456789abcdef" }), ...options, baseUrl } },
  });

/** Plays a session of an agent at a vendor, and throws where one of them is not given what it should be. */
export async function play(agent: Agent, vendor: Vendor): Promise<Played> {
  const stand = new StandIn(vendor, agent.speaker.format.name);
  const upstream = await startUpstream((request, response) => stand.answer(request, response));
  const gateway = await startTestGateway(configFor(vendor, upstream.url));
  const session = new Session(agent, vendor, stand, gateway.url);
  for (const turn of agent.turns) await session.turn(turn);
  const asked = [...stand.taken];
  const dropped = session.takeDropped();
  for (const aside of agent.asides) await session.aside(aside);
  return { dropped, asked, droppedBeside: session.takeDropped(), beside: stand.taken.slice(asked.length) };
}

class Session {
  readonly #dropped = new Set<string>();
  readonly #agent: Agent;
  readonly #vendor: Vendor;
  readonly #stand: StandIn;
  readonly #url: string;
  readonly #history: Wire[] = [];
  /** Calls and results so far, under short names. */
  readonly #told: Told[] = [];
  /** What was said, in its order. */
  readonly #texts: string[] = [];
  #offered: readonly string[] = [];

  constructor(agent: Agent, vendor: Vendor, stand: StandIn, url: string) {
    this.#agent = agent;
    this.#vendor = vendor;
    this.#stand = stand;
    this.#url = url;
  }

  /** What was left out since this was asked last. */
  takeDropped(): string[] {
    const dropped = [...this.#dropped].sort();
    this.#dropped.clear();
    return dropped;
  }

  async turn(turn: Turn): Promise<void> {
    const agent = this.#agent;
    if (turn.asks !== undefined) {
      this.#history.push(...agent.question(turn.asks, this.#history.length === 0, this.#vendor.model));
      this.#texts.push(turn.asks);
    }
    const before = this.#stand.taken.at(-1);
    const proofs = [...this.#stand.memory.proofs];
    const request = agent.ask(this.#history, this.#vendor.model);
    const bytes = await this.#send(request, turn.pieces);
    this.#checkAsked(request, turn, before);
    const sent = this.#stand.taken.at(-1)?.text ?? "";
    for (const [proof, { signer, of }] of proofs)
      must(
        !agent.carries.includes(`${signer} ${of}`) || sent.includes(proof),
        "proofs go back to who gave them",
        proof,
      );
    checkStream(agent.speaker.format.name, bytes);
    const answer = agent.speaker.gather(bytes);
    const calls = agent.calls(answer);
    this.#checkCalls(calls, turn.pieces);
    for (const piece of turn.pieces) if (piece.kind === "text") this.#texts.push(piece.text);
    const kept = agent.keep(answer);
    must(kept.length > 0, "there is something to keep", answer);
    this.#history.push(...kept, ...agent.results(calls, turn.outcomes ?? [], this.#vendor.model));
    for (const piece of turn.pieces) if (piece.kind === "call") this.#told.push(["call", piece.name, piece.args]);
    for (const [at, { said }] of (turn.outcomes ?? []).entries()) this.#told.push(["result", at, said]);
  }

  async aside({ about, ask, read, expected, stream }: Agent["asides"][number]): Promise<void> {
    const request = ask(this.#vendor.model);
    const bytes = await this.#send(request, [{ kind: "text", text: String(expected) }]);
    if (stream) checkStream(this.#agent.speaker.format.name, bytes);
    const got = read(stream ? this.#agent.speaker.gather(bytes) : JSON.parse(bytes.toString()));
    must(isDeepStrictEqual(got, expected), about, { got, expected });
  }

  async #send({ path, headers, body }: AgentRequest, pieces: readonly Piece[]): Promise<Buffer> {
    this.#stand.plan = pieces;
    const reply = await fetch(this.#url + path.replace("MODEL", this.#vendor.model), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    this.#stand.mustHaveTaken();
    must(reply.status === 200, "the agent is answered", { status: reply.status, said: bytes.toString() });
    for (const name of reply.headers.get("x-gateway-dropped-params")?.split(",") ?? []) this.#dropped.add(name);
    return bytes;
  }

  #checkAsked(request: AgentRequest, turn: Turn, before: Taken | undefined): void {
    const taken = this.#stand.taken.at(-1);
    must(taken && taken !== before, "the vendor was asked", request);
    const { speaker, body } = taken;
    must(
      speaker === this.#vendor.speaks(this.#agent.speaker.format.name)[0],
      "the format of conversations",
      speaker.format,
    );
    if (this.#vendor.passesOn && speaker === this.#agent.speaker)
      must(taken.text === JSON.stringify(request.body), "what needs no change has none", taken.text);
    for (const key of Object.values(request.headers).filter((value) => /^(?:Bearer )?(?:sk-)?agent$/.test(value)))
      must(!Object.values(taken.headers).includes(key), "keys of agents go to no vendor", key);
    const names = offeredIn(speaker.format.name, body).flatMap(({ name, isHosted }) =>
      isHosted ? [] : name.replace("|", "_"),
    );
    const grows = this.#offered.join() !== turn.offered.join();
    must(sameNames(names, turn.offered), "the tools are those in effect", { names, expected: turn.offered });
    this.#offered = turn.offered;
    if (before)
      checkBeginning(before.body, body, {
        grows,
        isOwn: speaker === this.#agent.speaker,
        instructs: this.#vendor.instructsInFront === true,
      });
    this.#checkTold(speaker.told(body));
    let from = 0;
    const all = JSON.stringify(body);
    for (const text of this.#texts) {
      const at = all.indexOf(text, from);
      must(at >= 0, "all that was said is there, in its order", { text, all });
      must(all.indexOf(text, at + 1) < 0, "nothing is said twice", { text, all });
      from = at;
    }
  }

  #checkTold(told: readonly Told[]): void {
    const got = told.filter(([kind]) => kind === "call" || kind === "result");
    const expected = this.#told;
    const isSame = expected.every((one, at) => isToldAs(one, got[at]));
    must(isSame && got.length === expected.length, "calls and results are those of the session", { got, expected });
  }

  #checkCalls(calls: readonly AgentCall[], pieces: readonly Piece[]): void {
    const planned = pieces.filter((piece) => piece.kind === "call");
    const ids = this.#stand.callIds;
    must(calls.length === planned.length, "all calls arrive", { calls, planned });
    for (const [at, { id, name, args }] of calls.entries()) {
      const piece = planned[at];
      must(piece && isCalled(name, piece.name), "the call has the agent's name", { name, piece });
      must(isDeepStrictEqual(args, piece.args), "the call has its arguments", { args, piece });
      // Ids that are little more than a number may come again, and are given a rest of their own.
      must(id?.startsWith(String(ids[at] ?? "")), "the call has an id, and the vendor's", { id, ids });
    }
    must(new Set(calls.map(({ id }) => id)).size === calls.length, "ids are unique", calls);
  }
}

const sameNames = (names: readonly string[], short: readonly string[]): boolean =>
  names.length === short.length && short.every((one) => names.some((name) => isCalled(name, one)));

/** Results are told with a word around them by some, and those of a search in other words. */
function isToldAs(expected: Told, got: Told | undefined): boolean {
  if (!got || got[0] !== expected[0]) return false;
  if (expected[0] === "call" && got[0] === "call")
    return isCalled(got[1], expected[1]) && isDeepStrictEqual(got[2], expected[2]);
  if (expected[0] === "result" && got[0] === "result") return got[1] === expected[1] && got[2].includes(expected[2]);
  return false;
}
