import { randomUUID } from "node:crypto";
import { type BusService, z } from "../../core/index.ts";
import type { Change } from "./circuit.ts";
import type { Circuits, Entry, Told } from "./circuits.ts";
import { breakerPolicy } from "./policy.ts";

const topic = "circuits";

/** Where a process that has just begun asks what is open; the message is its id. */
const askedTopic = "circuits-asked";

/** Where it is answered: what others have known for a while is no news to anybody else. */
const answersTopic = (asker: string) => `circuits-for:${asker}`;

/** Milliseconds successes are gathered for before others are told. */
const gathering = 250;

/** Leaves in one message at most. */
const most = 500;

const counter = z.int().min(0);

const message = z.array(
  z.object({
    id: z.string(),
    tenant: z.string(),
    config: z.string(),
    path: z.string(),
    policy: breakerPolicy,
    provider: z.string().optional(),
    changedAt: z.number().optional(),
    failures: counter,
    successes: counter,
    change: z.enum(["opened", "closed"]).optional(),
    openFor: z.number().min(0).optional(),
  }),
);

type Pending = { -readonly [Key in keyof Told]: Told[Key] };

/** Tells other processes what this one found out, and it what they did. Without a bus, nobody. */
export class Sharing {
  readonly #bus: BusService | undefined;
  readonly #pending = new Map<Entry, Pending>();
  readonly #now: () => number;
  readonly #self = randomUUID();
  #asking: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;

  constructor(bus: BusService | undefined, now: () => number = Date.now) {
    this.#bus = bus;
    this.#now = now;
  }

  /** What is returned ends it. */
  listen(circuits: Circuits): () => void {
    const bus = this.#bus;
    if (!bus) return () => undefined;
    const learn = (received: unknown) => {
      const { data } = message.safeParse(received);
      for (const told of data ?? []) circuits.learn(told, this.#now());
    };
    const answer = (received: unknown) => {
      const { data: asker } = z.uuid().safeParse(received);
      if (asker) this.#publish([...circuits.open(this.#now())].map(this.#changed), answersTopic(asker));
    };
    const leave = [
      bus.subscribe(topic, learn),
      bus.subscribe(answersTopic(this.#self), learn),
      bus.subscribe(askedTopic, answer),
    ];
    return () => {
      for (const end of leave) end();
      clearTimeout(this.#asking);
    };
  }

  /**
   * Asks others what is open, a moment from now: a bus may take that long until its answers can be heard. `asked` tells that
   * the question has left, which it has not where everything ends before.
   */
  ask(asked: () => void = () => undefined): void {
    const send = () => {
      this.#bus?.publish(askedTopic, this.#self);
      asked();
    };
    this.#asking ??= setTimeout(send, gathering).unref();
  }

  readonly #changed = (entry: Entry): Told => {
    const { failures, successes, openUntil } = entry.circuit;
    const openFor = openUntil === undefined ? undefined : Math.max(openUntil - this.#now(), 0);
    return { ...subjectOf(entry), failures, successes, change: openFor === undefined ? "closed" : "opened", openFor };
  };

  #publish(all: readonly Told[], to = topic): void {
    for (let at = 0; at < all.length; at += most) this.#bus?.publish(to, all.slice(at, at + most));
  }

  /** Successes can wait, failures leave with others of the same moment, and a circuit that opens or closes at once. */
  tell(entry: Entry, failed: boolean, change: Change | undefined): void {
    if (!this.#bus) return;
    if (change) {
      this.#pending.set(entry, this.#changed(entry));
      return this.flush();
    }
    const pending = this.#pending.get(entry) ?? { ...subjectOf(entry), failures: 0, successes: 0 };
    this.#pending.set(entry, pending);
    if (failed) pending.failures++;
    else pending.successes++;
    if (failed) this.#soon ??= setImmediate(() => this.flush());
    else this.#later ??= setTimeout(() => this.flush(), gathering).unref();
  }

  flush(): void {
    clearImmediate(this.#soon);
    clearTimeout(this.#later);
    this.#soon = undefined;
    this.#later = undefined;
    const all = [...this.#pending].flatMap(([entry, pending]) => (entry.outdated ? [] : [pending]));
    this.#pending.clear();
    this.#publish(all);
  }
}

const subjectOf = ({ id, tenant, config, path, policy, provider, changedAt }: Entry) => ({
  id,
  tenant,
  config,
  path,
  policy,
  provider,
  changedAt,
});
