import { expect } from "vitest";
import type { Budgeted } from "./budgeted.ts";
import { type Asked, type Cadence, type Level, type Limit, LimitsModel, nextAfter } from "./limits-model.ts";
import { shownAlert, shownValue } from "./managed-shown.ts";
import type { Answered, Caller } from "./management.ts";

const minute = 60_000;
export const units = { rpm: minute, rph: 60 * minute, rpd: 1_440 * minute, rpw: 10_080 * minute };
export type Unit = keyof typeof units;

/** Something with a budget and a rate of its own. */
interface Thing {
  readonly level: Exclude<Level, "policy">;
  readonly id: string;
  readonly since: number;
  change(body: object): Promise<Answered>;
  read(): Promise<Answered>;
  /** Its budgets of either type, also one it does not have now. */
  readonly known: Map<string, Limit>;
  limit: Limit | undefined;
  rate: Limit | undefined;
}

interface Policy {
  readonly path: string;
  readonly limit: Limit;
  body: Record<string, unknown>;
}

export interface Dates {
  readonly cadence: Cadence;
  /** Days from now, of the next reset. */
  readonly next: number | null;
}

const day = 86_400_000;
export const periodOf = (cadence: Cadence) => ({
  periodic_reset: typeof cadence === "string" ? cadence : null,
  periodic_reset_days: typeof cadence === "number" ? cadence : null,
});

/** A workspace of a gateway with all that has limits, and the model of it. */
export class ManagedWorld {
  readonly model = new LimitsModel();
  readonly things: readonly Thing[];
  readonly usage: Policy[] = [];
  readonly rates: Policy[] = [];
  readonly member: Caller;
  readonly slug: string;
  readonly key: { readonly id: string; secret: string; team: string | undefined };
  readonly world: Budgeted;
  readonly workspace: string;

  private constructor(world: Budgeted, workspace: string, slug: string, key: { id: string; secret: string }) {
    this.world = world;
    this.workspace = workspace;
    this.slug = slug;
    this.key = { ...key, team: undefined };
    this.member = world.as({ workspace });
    const { admin } = world;
    const thing = (level: Thing["level"], id: string, call: Caller, path: string): Thing => ({
      level,
      id,
      since: Date.now(),
      change: (body) => call("PUT", path, body),
      read: () => call("GET", path),
      known: new Map(),
      limit: undefined,
      rate: undefined,
    });
    this.things = [
      thing("api_key", key.id, admin, `/api-keys/${key.id}`),
      thing("workspace", workspace, admin, `/admin/workspaces/${workspace}`),
      thing("provider", slug, this.member, `/providers/${slug}`),
    ];
  }

  static async open(world: Budgeted, name: string): Promise<ManagedWorld> {
    const { admin, upstream } = world;
    const { uuid } = (await done(admin("POST", "/admin/workspaces", { name }))).body;
    const body = { name, slug: name, ai_provider_id: "openai", key: "sk-0123456789" };
    const configurations = { custom_host: `${upstream.url}/v1` };
    await done(world.as({ workspace: uuid })("POST", "/integrations", { ...body, configurations }));
    const scopes = ["completions.write"];
    const { id, key } = (await done(admin("POST", "/api-keys/workspace/service", { name, workspace_id: uuid, scopes })))
      .body;
    return new ManagedWorld(world, uuid, name, { id, secret: key });
  }

  goOn(milliseconds: number): number {
    const now = Date.now() + milliseconds;
    return this.at(now);
  }

  at: (now: number) => number = (now) => now;

  /** A policy of one group, or of more. */
  async makePolicy(
    kind: "usage" | "rate",
    limit: Omit<Limit, "id" | "level" | "kind" | "next" | "last" | "phase">,
    more: object,
  ) {
    const phase = limit.groups.includes("virtual_key") ? "target" : "admission";
    const now = Date.now();
    const next = nextAfter(limit.cadence, now, "policy", now);
    const own =
      kind === "usage"
        ? { credit_limit: shownValue(limit), alert_threshold: shownAlert(limit), ...periodOf(limit.cadence) }
        : {};
    const body = { type: limit.type, group_by: limit.groups.map((key) => ({ key })), ...own, ...more };
    const path = `/policies/${kind}-limits`;
    const { id } = (await done(this.member("POST", path, body))).body;
    const made: Limit = { ...limit, id, level: "policy", kind, phase, next, last: null };
    this.#add(made);
    this[kind === "usage" ? "usage" : "rates"].push({ path: `${path}/${id}`, limit: made, body });
  }

  async archive(list: "usage" | "rates", at: number): Promise<void> {
    const [policy] = this[list].splice(at % Math.max(1, this[list].length), 1);
    if (!policy) return;
    await done(this.member("DELETE", policy.path));
    this.model.limits.splice(this.model.limits.indexOf(policy.limit), 1);
    expect((await this.member("GET", policy.path)).status).toBe(404);
  }

  /** The budget of a thing in place of the one it has; undefined takes it away. */
  async limit(
    thing: Thing,
    type: "cost" | "tokens",
    value: number | undefined,
    alert: number | null,
    { cadence, next }: Dates,
  ) {
    const date = next === null ? undefined : Math.floor(Date.now() / day) * day + (next + 1) * day;
    const sent = value !== undefined && {
      type,
      credit_limit: type === "cost" ? value / 100 : value,
      alert_threshold: alert === null ? null : type === "cost" ? alert / 100 : alert,
      ...periodOf(cadence),
      next_usage_reset_at: date === undefined ? null : new Date(date).toISOString(),
    };
    await done(thing.change({ usage_limits: sent ? (thing.level === "workspace" ? [sent] : sent) : null }));
    this.#remove(thing.limit);
    thing.limit = undefined;
    if (value === undefined) return;
    const known = thing.known.get(type);
    const limit = known ?? this.#ofThing(thing, "usage", type, value);
    if (known) this.model.edit(limit, value, alert);
    limit.alert = alert;
    limit.cadence = cadence;
    this.model.redate(limit, date ?? nextAfter(cadence, Date.now(), thing.level, thing.since));
    thing.known.set(type, limit);
    thing.limit = limit;
    this.#add(limit);
  }

  async rate(thing: Thing, type: "requests" | "tokens", value: number | undefined, unit: Unit): Promise<void> {
    await done(thing.change({ rate_limits: value === undefined ? null : [{ type, unit, value }] }));
    this.#remove(thing.rate);
    thing.rate = value === undefined ? undefined : this.#ofThing(thing, "rate", type, value);
    if (!thing.rate) return;
    thing.rate.window = units[unit];
    this.#add(thing.rate);
  }

  #ofThing({ level, id }: Thing, kind: Limit["kind"], type: Limit["type"], value: number): Limit {
    const conditions = {
      api_key: ({ key }: Asked) => key === id,
      workspace: () => true,
      provider: ({ provider }: Asked) => provider === id,
    };
    return {
      ...{
        id,
        level,
        kind,
        type,
        value,
        alert: null,
        window: 0,
        cadence: null,
        next: undefined,
        last: null,
        groups: [],
      },
      condition: conditions[level],
      phase: level === "provider" ? "target" : "admission",
    };
  }

  #add(limit: Limit): void {
    const order = ["api_key", "workspace", "provider", "policy"];
    this.model.limits.push(limit);
    this.model.limits.sort((one, other) => order.indexOf(one.level) - order.indexOf(other.level));
  }

  #remove(limit: Limit | undefined): void {
    if (limit) this.model.limits.splice(this.model.limits.indexOf(limit), 1);
  }

  /** `meanwhile` is done when it is with its vendor, or when it was refused. */
  async ask(
    asked: Asked,
    kind: "whole" | "stream" | "fails" | "again",
    meanwhile?: () => Promise<unknown>,
  ): Promise<void> {
    const { chat, gateway, holdNext } = this.world;
    const now = Date.now();
    const isKey = asked.key === this.key.id;
    const header = asked.team;
    const seen: Asked = {
      ...asked,
      // What a key says of itself cannot be changed by who uses it (policies.md section 3.4).
      team: isKey ? (this.key.team ?? header) : header,
      tokens: kind === "fails" ? 0 : asked.tokens,
    };
    const decision = this.model.decide(seen, now);
    const met = this.model.met(seen);
    // As they are now: they may be edited meanwhile.
    const rates = this.model.ratesOf(seen, now).map((one) => ({ ...one, limit: { ...one.limit } }));
    const held = meanwhile && decision.status === 200 ? holdNext() : undefined;
    const answering = chat({
      ...(isKey ? { key: this.key.secret } : { who: { id: asked.key, workspace: this.workspace } }),
      provider: asked.provider,
      tokens: asked.tokens,
      metadata: header === undefined ? undefined : { team: header },
      ...(kind === "fails" && { model: "fails" }),
      ...(kind === "again" && { model: "fails once" }),
      stream: kind === "stream",
    });
    await (held ? Promise.race([held.there.over, answering]) : answering);
    if (held) await meanwhile?.();
    held?.letGo.come();
    const answer = await answering;
    const { status, limit, value } = decision;
    const about = JSON.stringify({ asked: seen, kind, limit, value, error: answer.error });
    expect(answer.status, about).toBe(status === 200 && kind === "fails" ? 503 : status);
    if (limit) {
      const what = limit.kind === "usage" ? "usage" : "rate";
      const reason = `${limit.level}_${what}_limit_exceeded`;
      expect(answer.headers.get("x-gateway-limit-source"), about).toBe(reason);
      const policy = limit.level === "policy" ? { policy_id: limit.id, value_key: value } : {};
      expect(answer.error?.details, about).toMatchObject({
        reason,
        limit_type: limit.type,
        limit: shownValue(limit),
        ...policy,
      });
      if (limit.kind === "rate") {
        const left = limit.window - ((now - (limit.window === units.rpw ? 4 * day : 0)) % limit.window);
        expect(answer.headers.get("retry-after"), about).toBe(`${Math.ceil(left / 1000)}`);
      } else {
        const reset = limit.next === undefined ? "never" : new Date(limit.next).toISOString();
        expect(answer.headers.get("x-gateway-usage-reset"), about).toBe(reset);
        expect(answer.headers.get("x-gateway-usage-remaining"), about).toBe("0");
        expect(answer.headers.get("retry-after"), about).toBeNull();
      }
    } else this.#checkRates(rates, answer.headers, about);
    await expect.poll(() => gateway.generation.active, { interval: 1 }).toBe(0);
    if (!limit) this.model.count(seen, met, now, kind === "again" ? 2 : 1);
    if (!held) await meanwhile?.();
  }

  /** Of the rate there is least left of, as the request has taken it; of tokens it is not said what a request is expected to use. */
  #checkRates(rates: ReturnType<LimitsModel["ratesOf"]>, headers: Headers, about: string): void {
    if (rates.some(({ limit }) => limit.type === "tokens")) return;
    const share = ({ limit, count }: (typeof rates)[number]) => Math.max(0, limit.value - count - 1) / limit.value;
    const [first, ...others] = rates;
    if (!first) return expect(headers.get("x-gateway-ratelimit-limit"), about).toBeNull();
    const tightest = others.reduce((least, one) => (share(one) < share(least) ? one : least), first);
    const told = ["limit", "remaining"].map((name) => headers.get(`x-gateway-ratelimit-${name}`));
    expect(told, about).toEqual([`${tightest.limit.value}`, `${tightest.limit.value - tightest.count - 1}`]);
  }
}

export async function done(call: Promise<Answered>): Promise<Answered> {
  const answered = await call;
  expect(answered.status, JSON.stringify(answered.body)).toBe(200);
  return answered;
}
