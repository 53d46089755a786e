import type { ServerResponse } from "node:http";
import { expect, vi } from "vitest";
import { openManagement, type TestManagement } from "../support/management.ts";
import { json, startUpstream } from "../support/upstream.ts";

/** What somebody did, in the order in which it happened. `at` is in Unix milliseconds of the test's clock. */
interface Event {
  readonly order: number;
  readonly at: number;
}
/** An answer of the vault: what it gave, or nothing. What it says is empty is a value like any other, and of no use. */
export interface Read extends Event {
  readonly path: string;
  readonly value: string | undefined;
}
/** A credential that was shown to the vendor. `answered` is when its answer was on the way. */
export interface Shown extends Event {
  readonly value: string;
  answered: number;
  status: number;
}
/** A request, from when it was sent until its answer was there. */
export interface Asked {
  readonly path: string;
  readonly began: Event;
  readonly ended: Event;
  readonly status: number;
  readonly text: string;
  /** What was shown for it. */
  readonly shown: Shown | undefined;
}

export type Trouble = "none" | "fails" | "refuses" | "junk" | "empty" | "breaks";

const said = { index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" };
const answer = { id: "c", object: "chat.completion", created: 1, model: "m", choices: [said] };

/** A gateway before a vault, and before a vendor whose keys lie in it; both are as a walk has them. */
export class SecretWorld {
  readonly management: TestManagement;
  readonly #vendor: string;
  readonly #vault: string;
  readonly #watch: Watch;
  #count = 0;

  constructor(management: TestManagement, parts: { vendor: string; vault: string; watch: Watch }) {
    this.management = management;
    this.#vendor = parts.vendor;
    this.#vault = parts.vault;
    this.#watch = parts.watch;
  }

  /** A place in the vault, and the providers that are called with what lies there. */
  async place(providers: number): Promise<SecretPlace> {
    const path = `kv/data/place-${++this.#count}`;
    const { admin, as, workspace } = this.management;
    const auth_config = { vault_auth_type: "token", vault_addr: this.#vault, vault_token: "hvs.the-token-of-all" };
    const reference = {
      name: path,
      manager_type: "hashicorp_vault",
      auth_config,
      secret_path: path,
      secret_key: "key",
    };
    const made = await admin("POST", "/secret-references", reference);
    const slugs: string[] = [];
    for (let at = 0; at < providers; at++) {
      const slug = `p${this.#count}-${at}`;
      const integration = {
        ...{ name: slug, slug, ai_provider_id: "openai", configurations: { custom_host: `${this.#vendor}/v1` } },
        secret_mappings: [{ target_field: "key", secret_reference_id: made.body.id }],
      };
      const { status, body } = await as({ workspace: workspace.id })("POST", "/integrations", integration);
      expect(status, JSON.stringify(body)).toBe(200);
      slugs.push(slug);
    }
    return new SecretPlace(path, slugs, this.management, this.#watch);
  }
}

/** What vault and vendor saw, and what they do. */
export class Watch {
  order = 0;
  readonly values = new Map<string, string>();
  readonly troubles = new Map<string, Trouble>();
  readonly reads: Read[] = [];
  readonly shown = new Map<string, Shown>();
  readonly accepted = new Set<string>();
  /** Requests that the vendor holds, until they are let go. */
  held: (() => void)[] | undefined;

  event(): Event {
    return { order: ++this.order, at: Date.now() };
  }

  read(path: string, response: ServerResponse): void {
    const trouble = this.troubles.get(path) ?? "none";
    const value = this.values.get(path);
    this.reads.push({ ...this.event(), path, value: { none: value, empty: "" }[trouble as string] });
    if (trouble === "fails") return json(response, 503, { errors: ["sealed"] });
    if (trouble === "refuses") return json(response, 404, { errors: [] });
    if (trouble === "junk") return void response.end("<html>");
    if (trouble === "breaks") return void response.destroy();
    json(response, 200, { data: { data: { key: trouble === "empty" ? " " : value }, metadata: {} } });
  }

  show(body: string, value: string, response: ServerResponse): void {
    const { user } = JSON.parse(body) as { user: string };
    const shown: Shown = { ...this.event(), value, answered: Number.POSITIVE_INFINITY, status: 0 };
    this.shown.set(user, shown);
    const reply = () => {
      shown.status = this.accepted.has(value) ? 200 : 401;
      shown.answered = ++this.order;
      if (shown.status === 200) json(response, 200, answer);
      else json(response, 401, { error: { message: `Incorrect API key provided: ${value}`, type: "t" } });
    };
    if (this.held) this.held.push(reply);
    else reply();
  }
}

let requests = 0;

export class SecretPlace {
  readonly path: string;
  readonly asked: Asked[] = [];
  /** When a new generation of the config began to serve. */
  readonly reloads: number[] = [];
  readonly #slugs: readonly string[];
  readonly #management: TestManagement;
  readonly #watch: Watch;
  #values = 0;

  constructor(path: string, slugs: readonly string[], management: TestManagement, watch: Watch) {
    this.path = path;
    this.#slugs = slugs;
    this.#management = management;
    this.#watch = watch;
    this.rotate(0);
  }

  get reads(): readonly Read[] {
    return this.#watch.reads.filter(({ path }) => path === this.path);
  }

  /** Another value in the vault; the vendor takes the one before as well, or not any more, or has not heard of it yet. */
  rotate(kind: number): void {
    const { values, accepted } = this.#watch;
    const before = values.get(this.path);
    const next = `sk-${this.path.replaceAll("/", "-")}-${++this.#values}-of-nobody-else`;
    values.set(this.path, next);
    if (kind % 4 !== 3) accepted.add(next);
    if (before !== undefined && kind % 4 < 2) accepted.delete(before);
  }

  /** The vendor comes to take what lies in the vault. */
  accept(): void {
    this.#watch.accepted.add(this.#watch.values.get(this.path) ?? "");
  }

  trouble(kind: Trouble): void {
    this.#watch.troubles.set(this.path, kind);
  }

  async ask(which: number): Promise<void> {
    const user = `request-${++requests}`;
    const { as, workspace } = this.#management;
    const began = this.#watch.event();
    const slug = this.#slugs[which % this.#slugs.length] ?? "";
    const { status, body } = await as({ workspace: workspace.id })(
      "POST",
      "/chat/completions",
      { model: "gpt-4o", messages: [{ role: "user", content: "Hi" }], user },
      { "x-gateway-provider": `@${slug}` },
    );
    const ended = this.#watch.event();
    const shown = this.#watch.shown.get(user);
    this.asked.push({ path: this.path, began, ended, status, text: JSON.stringify(body), shown });
  }

  /** Some requests are with the vendor while something else happens. */
  async during(count: number, happens: () => unknown): Promise<void> {
    this.#watch.held = [];
    const asking = Array.from({ length: count }, (_, at) => this.ask(at));
    const arrived = () => this.#watch.held?.length === count;
    const over = Promise.all(asking).then(() => true);
    // Those without a secret never come to the vendor.
    for (let turn = 0; turn < 400 && !arrived(); turn++) await new Promise((resolve) => setTimeout(resolve, 1));
    await happens();
    const { held } = this.#watch;
    this.#watch.held = undefined;
    for (const release of held ?? []) {
      release();
      await new Promise(setImmediate);
    }
    await over;
  }

  async reload(): Promise<void> {
    expect(await this.#management.gateway.reload()).toBe(true);
    this.reloads.push(this.#watch.event().order);
  }
}

export const pass = (milliseconds: number): void => void vi.setSystemTime(Date.now() + milliseconds);

/** To be opened in the test: vault and vendor end with it. */
export async function openSecrets(): Promise<SecretWorld> {
  const watch = new Watch();
  const vault = await startUpstream(({ url }, response) => watch.read(url.replace("/v1/", ""), response));
  const vendor = await startUpstream(({ headers, body }, response) =>
    watch.show(body.toString(), String(headers.authorization).replace("Bearer ", ""), response),
  );
  const management = await openManagement(
    {
      encryption: { key: "5e".repeat(32) },
      ...{ routing: {}, "secret-references": {}, integrations: {}, "format-openai-chat": {} },
    },
    { variables: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" } },
  );
  return new SecretWorld(management, { vendor: vendor.url, vault: vault.url, watch });
}
