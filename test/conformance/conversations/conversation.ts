import { joined } from "../../../core/index.ts";
import { headAndTurns, withoutThinking } from "./prefix.ts";
import { given, type Sent, sent, streamed } from "./road.ts";
import { plain } from "./said.ts";
import { kindOf, type ShownKind, shownOf } from "./shown.ts";
import {
  type Call,
  Memory,
  must,
  type Plan,
  type Proof,
  type Speaker,
  type Told,
  type Wire,
  type Wishes,
} from "./speaker.ts";

/** One question, its answer, and what the client says to that. */
export interface Turn {
  readonly vendor: Speaker;
  readonly model: string;
  readonly plan: Plan;
  readonly stream: boolean;
  /** Where the network cuts a stream. */
  readonly cuts: readonly number[];
  /** What tools give, in turn, and whether the user says something besides. */
  readonly results: readonly string[];
  readonly interrupts: boolean;
  /** Whether the model is instructed anew before its next answer. */
  readonly instructs: boolean;
  /** Whether a tool gives an image, for each in turn, where the client can show it. */
  readonly images: readonly boolean[];
  /** What the user shows with the next question, where the client can. */
  readonly shows: readonly ShownKind[];
  /** Whether results come last first, and what the user says before them. */
  readonly isReversed: boolean;
}

/**
 * Which proofs a client has a place for. Nothing is known of those that are not here, and streams of the chat API lose what its
 * clients do not add up. Thinking goes back to OpenAI from clients that have items for it; docs/formats.md, decision 0039.
 */
const carried: Readonly<Record<string, readonly string[]>> = {
  "anthropic-messages": ["claude thought", "claude hidden", "gemini thought", "gemini call"],
  "bedrock-converse": ["claude thought", "claude hidden", "gemini thought"],
  gemini: ["gemini thought", "gemini call", "claude thought"],
  "openai-chat": ["claude thought", "claude hidden", "gemini thought", "gemini call"],
  "openai-responses": [
    ...["claude thought", "claude hidden", "gemini thought", "gemini call"],
    ...["openai thought", "openai hidden"],
  ],
};

const hasPlace = ({ format: { name } }: Speaker, { signer, of }: Proof, stream: boolean): boolean =>
  !(stream && name === "openai-chat") && (carried[name]?.includes(`${signer} ${of}`) ?? false);

/** But code that was run, which chat clients may have as a block and as text. */
const marker = /[A-NP-QS-Z]\d+z/g;

/** The thoughts in what a client keeps, by their marks, which may come in pieces. */
function thoughtsIn(kept: readonly Wire[]): readonly string[] {
  let all = "";
  JSON.stringify(kept, (name, value) => {
    if ((name === "text" || name === "thinking" || name === "tool_plan") && typeof value === "string") all += value;
    return value;
  });
  return all.match(/H\d+z/g) ?? [];
}

/** What a client is given, in one piece or as a stream. */
const reading =
  (client: Speaker, vendor: Speaker, plan: Plan, cuts: readonly number[]) =>
  (answer: Wire, ways: Sent, stream: boolean): Wire =>
    stream
      ? client.gather(streamed(client, vendor, vendor.frames(answer, plan), ways, cuts))
      : given(client, vendor, answer, ways);

/** Throws where what a vendor is sent is not what was said, or nothing it would take. */
export class Conversation {
  readonly #client: Speaker;
  readonly #wishes: Wire;
  readonly #forces: boolean;
  readonly #isStrict: boolean;
  readonly #memory = new Memory();
  #history: Wire[] = [];
  #told: Told[] = [];
  readonly #instructions: string[] = [];
  /** Proofs the client has a place for. */
  readonly #owed: string[] = [];
  /** What a vendor was sent last, and whether with thinking. */
  readonly #before = new Map<string, { readonly sent: Wire; readonly thinks: boolean }>();

  constructor(client: Speaker, wishes: Wishes) {
    this.#client = client;
    this.#wishes = client.wish(wishes);
    this.#forces = wishes.forces === true;
    this.#isStrict = wishes.strict === true;
    this.#ask();
  }

  turn({ vendor, model, plan, stream, cuts, ...said }: Turn): void {
    const client = this.#client;
    const asked = JSON.parse(JSON.stringify(joined(this.#wishes, client.ask(this.#history, stream))));
    const manner = { model, stream, strict: this.#isStrict, id: `ab${this.#memory.next()}` };
    const ways = sent(client, vendor, asked, manner);
    this.#check(vendor, model, ways);
    const known = new Set(this.#memory.proofs.keys());
    // Where the bytes pass through, clients depend on their vendor for ids.
    const style = client === vendor && plan.style % 4 === 3 ? 0 : plan.style;
    const answer: Wire = JSON.parse(JSON.stringify(vendor.answer({ ...plan, style }, this.#memory, ways.wire, model)));
    this.#told.push(...vendor.told(vendor.ask(vendor.keep(answer, 1), false)));
    const got = reading(client, vendor, plan, cuts)(answer, ways, stream);
    this.#checkReading(got, reading(client, vendor, plan, cuts)(answer, ways, !stream));
    for (const [proof, about] of this.#memory.proofs)
      if (!known.has(proof) && !this.#isStrict && hasPlace(client, about, stream)) this.#owed.push(proof);
    const kept = client.keep(got, plan.style);
    this.#history.push(...kept);
    const calls = client.calls(got);
    if (said.instructs && calls.length === 0) this.#instruct();
    if (calls.length === 0) this.#ask(said.shows);
    else this.#answer(calls, said);
    if (said.instructs && calls.length > 0) this.#instruct();
  }

  /** Clients make the same of a stream as of a whole answer. */
  #checkReading(one: Wire, other: Wire): void {
    const client = this.#client;
    const [read, also] = [one, other].map((got) => {
      const kept = client.keep(got, 1);
      // Nobody who speaks chat completions adds thoughts up.
      const thoughts = client.format.name === "openai-chat" ? [] : thoughtsIn(kept);
      return { told: plain(client.told(client.ask(kept, false))), calls: client.calls(got), thoughts };
    });
    must(JSON.stringify(read) === JSON.stringify(also), "streams are read as whole answers are", { read, also });
  }

  #answer(
    calls: readonly Call[],
    { results, images, interrupts, isReversed }: Pick<Turn, "results" | "images" | "interrupts" | "isReversed">,
  ) {
    const given = calls.map((call, at) => ({
      ...call,
      said: this.#marked("F", results[at % results.length] ?? ""),
      ...(this.#client.showsResults && images[at % images.length] && { image: this.#image() }),
    }));
    for (const { image } of given) if (image !== undefined) this.#told.push(["shown", image]);
    this.#told.push(...given.map(({ said }, at): Told => ["result", at, said]));
    const besides = interrupts ? { text: this.#marked("U", "go on"), isFirst: isReversed } : undefined;
    if (besides) this.#told.push(["user", besides.text]);
    // Without ids the order says whose they are.
    const isKnown = calls.every(({ id }) => id !== undefined);
    this.#history.push(...this.#client.results(isReversed && isKnown ? given.toReversed() : given, besides));
  }

  #image(): string {
    return shownOf("image", this.#memory.next());
  }

  #instruct(): void {
    const said = this.#marked("S", "be kind");
    const message = this.#client.instruct?.(said);
    if (!message) return;
    this.#history.push(message);
    this.#instructions.push(said);
  }

  #marked(kind: string, said: string): string {
    return said.trim() === "" ? said : `${kind}${this.#memory.next()}z ${said}`;
  }

  #ask(kinds: readonly ShownKind[] = []): void {
    const question = this.#marked("U", "why?");
    const known = kinds.filter((kind) => this.#client.shows.includes(kind));
    const shown = known.map((kind) => shownOf(kind, this.#memory.next()));
    this.#told.push(...shown.map((one): Told => ["shown", one]), ["user", question]);
    this.#history.push(this.#client.question(question, shown));
  }

  #check(vendor: Speaker, model: string, { wire: asked, prepared }: Sent): void {
    vendor.check(asked, this.#memory, { model, own: !prepared.translated });
    const thinks = vendor.wantsThinking?.(asked, model) ?? true;
    // Where a tool is forced there is no way to say so.
    if (this.#client.readsThoughts?.(this.#wishes, this.#isStrict) && !this.#forces)
      must(!vendor.hidesThoughts?.(asked, model), "thoughts are shown to who asks for them", asked);
    this.#checkProofs(vendor, asked, thinks);
    const said = JSON.stringify(plain(vendor.told(asked)));
    const taken = [...vendor.shows, ...(vendor.reads ?? [])];
    const isShown = (one: Told) => one[0] !== "shown" || taken.includes(kindOf(one[1]));
    const meant = JSON.stringify(plain(this.#told.filter(isShown)));
    this.#checkBeside(vendor, asked);
    must(said === meant, "what was said is what is sent", { said, meant });
    const markers: readonly string[] = JSON.stringify(asked, withoutRepeated).match(marker) ?? [];
    must(new Set(markers).size === markers.length, "nothing is said twice", markers);
    for (const one of this.#instructions) must(markers.includes(one.split(" ")[0] ?? ""), "instructions are said", one);
    this.#checkPrefix(vendor, model, { sent: asked, thinks });
  }

  /** Documents that stand beside the messages. */
  #checkBeside({ beside }: Speaker, asked: Wire): void {
    if (!beside) return;
    const meant = this.#told.flatMap(([who, one]) => (who === "shown" && kindOf(one) === "document" ? [one] : []));
    must(JSON.stringify(beside(asked)) === JSON.stringify(meant), "documents stand beside", { asked, meant });
  }

  #checkProofs(vendor: Speaker, sent: Wire, wantsAll: boolean): void {
    const all = JSON.stringify(sent, withoutRepeated);
    must(!all.includes("signed-by"), "marks are the gateway's own", sent);
    for (const [proof, { signer }] of this.#memory.proofs)
      must(signer === vendor.signer || !all.includes(proof), "another vendor's proofs go to nobody", { proof, sent });
    for (const proof of this.#owed) {
      const about = this.#memory.proofs.get(proof);
      // Thinking that was cut off is refused, and so is any where there is to be none.
      if (about?.signer === "claude" && (!wantsAll || this.#memory.isLast(proof))) continue;
      must(about?.signer !== vendor.signer || all.includes(`"${proof}"`), "proofs go back to who gave them", {
        proof,
        about,
        sent,
      });
    }
  }

  /** Caches of prompts go by how requests begin: what was sent before stays as it was. */
  #checkPrefix(
    { format, instructsWithin }: Speaker,
    model: string,
    request: { readonly sent: Wire; readonly thinks: boolean },
  ): void {
    const name = `${format.name} ${model}`;
    const before = this.#before.get(name);
    this.#before.set(name, request);
    if (!before) return;
    // Where there is to be no thinking, the turn that goes on is without, and has it again when it is over.
    const isSame = before.thinks && request.thinks;
    const [old, now] = [before, request].map(({ sent }) => headAndTurns(isSame ? sent : withoutThinking(sent)));
    if (!old || !now) return;
    // Formats that have instructions in front of the messages have them all there.
    if (this.#instructions.length === 0 || instructsWithin?.(model))
      must(old.head === now.head, "what comes before the messages stays", { old: old.head, now: now.head });
    for (const [at, turn] of old.turns.entries()) {
      const next = now.turns[at] ?? "";
      // After an answer of nothing the user goes on in the same turn, and instructions stand behind it.
      const isLast = old.turns.slice(at + 1).every((one) => one.endsWith('"role":"system"}'));
      const isSame = turn === next || (isLast && next.startsWith(turn.replace(/\](?:,"role":"\w+")?\}$/, "")));
      must(isSame, "messages stay as they were", { old: turn, now: next });
    }
  }
}

/** What says once more what stands elsewhere: citations quote. */
const repeated: ReadonlySet<string> = new Set(["citations", "annotations"]);
const withoutRepeated = (name: string, value: unknown): unknown => (repeated.has(name) ? undefined : value);
