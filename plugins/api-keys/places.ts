import { randomUUID } from "node:crypto";
import { againWhen, GatewayError, type RecordCollection, type RecordsService } from "../../core/index.ts";
import { isExpired } from "./document.ts";
import type { Issued, KeyRecord, Keys, NewKey } from "./keys.ts";
import type { UserKeyRules } from "./rules.ts";

export interface PlacesParts {
  readonly records: RecordsService;
  readonly keys: Keys;
  readonly now: () => number;
}

/** Keys of people in a workspace that are about to be, by their ids: until when they count, in Unix milliseconds. */
interface Held {
  readonly until: Readonly<Record<string, number>>;
}

/** Who gets a place, and where. */
interface Asked {
  readonly organisation: string;
  readonly workspace: string;
  readonly id: string;
  readonly limit: number;
  /** The field that is wrong where there is none. */
  readonly param: string;
}

/** Longer than a store takes for a write; a process that dies meanwhile leaves its place after that. */
const heldFor = 60_000;

/**
 * The places for keys of people in a workspace, of which it may have so many (control-plane.md section 2.8). Whoever makes
 * a key holds a place first, in a record that the next one, in whichever process, has to read: there is none too many.
 */
export class Places {
  readonly #parts: PlacesParts;
  readonly #held: RecordCollection<Held>;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(parts: PlacesParts) {
    this.#parts = parts;
    this.#held = parts.records.collection<Held>({ name: "api_key_places", schemaVersion: 1 });
  }

  /** Makes a key. Throws 400 AB01 where there is no place for it. */
  issue(organisation: string, key: NewKey, { limit }: UserKeyRules): Promise<Issued> {
    const { keys } = this.#parts;
    const { workspace_id: workspace } = key;
    if (limit === undefined || workspace === null) return keys.issue(organisation, key);
    const id = randomUUID();
    const asked = { organisation, workspace, id, limit, param: "user_id" };
    return this.#within(asked, () => keys.issue(organisation, key, { id }));
  }

  /** Changes when a key expires. Throws 400 AB01 where it had expired and its place is somebody else's by now. */
  prolong<Made>(key: KeyRecord, { limit }: UserKeyRules, change: () => Promise<Made>): Promise<Made> {
    const { tenant: organisation, id } = key;
    const { workspace_id: workspace } = key.document;
    if (limit === undefined || workspace === null) return change();
    return this.#within({ organisation, workspace, id, limit, param: "expires_at" }, change);
  }

  /** In one process one after the other, so that they do not get in each other's way. */
  async #within<Made>(asked: Asked, make: () => Promise<Made>): Promise<Made> {
    const whose = `${asked.organisation} ${asked.workspace}`;
    const before = this.#turns.get(whose);
    const own = before ? before.then(() => this.#inPlace(asked, make)) : this.#inPlace(asked, make);
    const turn = own.catch(ignore);
    this.#turns.set(whose, turn);
    try {
      return await own;
    } finally {
      if (this.#turns.get(whose) === turn) this.#turns.delete(whose);
    }
  }

  async #inPlace<Made>(asked: Asked, make: () => Promise<Made>): Promise<Made> {
    await this.#change(asked, async (held) => {
      await this.#refuseBeyond(asked, held);
      return { ...held, [asked.id]: this.#parts.now() + heldFor };
    });
    try {
      return await make();
    } finally {
      // A place that is left counts for a while, and no more.
      await this.#change(asked, ({ [asked.id]: _, ...others }) => others).catch(ignore);
    }
  }

  async #refuseBeyond({ organisation, workspace, id, limit, param }: Asked, held: Held["until"]): Promise<void> {
    const { keys, now } = this.#parts;
    const { records } = await keys.store.select(organisation, {
      where: { type: "workspace-user", workspace_id: workspace },
      filter: ({ document }) => !isExpired(document, now()),
    });
    const taken = new Set([...Object.keys(held), ...records.map((one) => one.id)]);
    if (taken.has(id) || taken.size < limit) return;
    const what = `this workspace has ${taken.size} keys of people, and may have ${limit}`;
    throw new GatewayError("record_invalid", `${param}: ${what}.`, { param });
  }

  /** Of two who change what is held at the same time, the second one looks again. */
  async #change(
    { organisation: tenant, workspace }: Asked,
    change: (held: Held["until"]) => Held["until"] | Promise<Held["until"]>,
  ): Promise<void> {
    const key = { tenant, id: workspace };
    await againWhen(["conflict", "exists"], async () => {
      const there = await this.#held.get(key);
      const now = this.#parts.now();
      const held = Object.entries(there?.document.until ?? {}).filter(([, until]) => until > now);
      const document = { until: await change(Object.fromEntries(held)) };
      if (there) await this.#held.update({ ...key, version: there.version }, { document });
      else await this.#held.insert({ ...key, document });
    });
  }
}

function ignore(): void {}
