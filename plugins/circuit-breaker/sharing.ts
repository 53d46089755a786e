import { type BusService, z } from "../../core/index.ts";
import type { Change } from "./circuit.ts";
import type { Circuits, Entry, Told } from "./circuits.ts";
import { breakerPolicy } from "./policy.ts";

const topic = "circuits";

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
  #later: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;

  constructor(bus: BusService | undefined, now: () => number = Date.now) {
    this.#bus = bus;
    this.#now = now;
  }

  /** What is returned ends it. */
  listen(circuits: Circuits): () => void {
    if (!this.#bus) return () => undefined;
    return this.#bus.subscribe(topic, (received) => {
      const { data } = message.safeParse(received);
      for (const told of data ?? []) circuits.learn(told, this.#now());
    });
  }

  /** Successes can wait, failures leave with others of the same moment, and a circuit that opens or closes at once. */
  tell(entry: Entry, failed: boolean, change: Change | undefined): void {
    if (!this.#bus) return;
    const { circuit } = entry;
    if (change) {
      const openFor = change === "opened" ? Math.max((circuit.openUntil ?? 0) - this.#now(), 0) : undefined;
      const { failures, successes } = circuit;
      this.#pending.set(entry, { ...subjectOf(entry), failures, successes, change, openFor });
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
    for (let at = 0; at < all.length; at += most) this.#bus?.publish(topic, all.slice(at, at + most));
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
