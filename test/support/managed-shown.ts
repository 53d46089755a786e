import type { Limit } from "./limits-model.ts";
import type { ManagedWorld } from "./managed-world.ts";

interface Sent {
  readonly is_threshold_alerts_sent: boolean;
  readonly is_exhausted_alerts_sent: boolean;
}

/** What the management API shows of limits, and what was told of them. */
export async function seenIn(world: ManagedWorld) {
  const policies = await Promise.all(
    world.usage.map(async ({ path }) => {
      const { body } = await world.member("GET", `${path}?include_usage=true`);
      const { data } = (await world.member("GET", `${path}/entities`)).body;
      const { credit_limit, alert_threshold, next_usage_reset_at, last_reset_at, value_key_usage_map: usage } = body;
      const entities = Object.fromEntries(
        data.map((one: Record<string, unknown>) => [
          one.value_key,
          { current_usage: one.current_usage, status: one.status },
        ]),
      );
      return { credit_limit, alert_threshold, next_usage_reset_at, last_reset_at, usage, entities };
    }),
  );
  const things = await Promise.all(
    world.things.map(async ({ read }) => {
      const { usage_limits } = (await read()).body;
      const [limits = null] = [usage_limits].flat();
      if (!limits) return null;
      const { credit_limit, current_usage, status, is_threshold_alerts_sent, is_exhausted_alerts_sent } = limits;
      const { next_usage_reset_at } = limits;
      return {
        credit_limit,
        current_usage,
        status,
        is_threshold_alerts_sent,
        is_exhausted_alerts_sent,
        next_usage_reset_at,
      };
    }),
  );
  for (const [at, { limit }] of world.usage.entries())
    for (const [value, one] of Object.entries<Sent>(policies[at]?.usage ?? {})) hear(world, limit, value, one);
  for (const [at, { limit }] of world.things.entries()) if (limit && things[at]) hear(world, limit, "", things[at]);
  return { policies, things, told: toldIn(world) };
}

function hear(
  world: ManagedWorld,
  limit: Limit,
  value: string,
  { is_threshold_alerts_sent: one, is_exhausted_alerts_sent: other }: Sent,
): void {
  world.model.heard(limit, value, one, other);
}

function toldIn({ world, workspace }: ManagedWorld): string[] {
  return world.gateway.log.lines
    .filter(({ message, fields }) => message === "notification" && fields?.workspace_id === workspace)
    .map(({ fields }) => {
      const { event, subject, data } = fields as never as {
        event: string;
        subject: { kind: string; id: string; slug: string };
        data: { value_key?: string };
      };
      return `${event} ${subject.kind === "provider" ? subject.slug : subject.id} ${data.value_key ?? ""}`;
    })
    .filter((told) => told.startsWith("limit."))
    .sort();
}

/** The same, as the model has it. */
export function expectedIn({ usage, things, model }: ManagedWorld) {
  const shown = (limit: Limit, used: number, threshold: boolean, exhausted: boolean) => ({
    current_usage: limit.type === "cost" ? used / 100 : used,
    status: used >= Math.ceil(limit.value) ? "exhausted" : "active",
    is_threshold_alerts_sent: threshold,
    is_exhausted_alerts_sent: exhausted,
  });
  return {
    policies: usage.map(({ limit }) => {
      const counters = model.counters(limit);
      const used = counters.map((one) => [one.value, shown(limit, one.used, one.threshold, one.exhausted)] as const);
      return {
        credit_limit: shownValue(limit),
        alert_threshold: shownAlert(limit),
        next_usage_reset_at: dateOf(limit.next),
        last_reset_at: dateOf(limit.last ?? undefined),
        usage: Object.fromEntries(used),
        entities: Object.fromEntries(
          used.map(([value, { current_usage, status }]) => [value, { current_usage, status }]),
        ),
      };
    }),
    things: things.map(({ limit }) => {
      if (!limit) return null;
      const { used, threshold, exhausted } = model.counter(limit, "") ?? {
        used: 0,
        threshold: false,
        exhausted: false,
      };
      return {
        credit_limit: shownValue(limit),
        ...shown(limit, used, threshold, exhausted),
        next_usage_reset_at: dateOf(limit.next),
      };
    }),
    told: model.told.map(({ event, id, value }) => `${event} ${id} ${value ?? ""}`).sort(),
  };
}

const dateOf = (moment: number | undefined): string | null =>
  moment === undefined ? null : new Date(moment).toISOString();
export const shownValue = ({ type, value }: Pick<Limit, "type" | "value">): number =>
  type === "cost" ? value / 100 : value;
export const shownAlert = ({ type, alert }: Pick<Limit, "type" | "alert">): number | null =>
  alert === null ? null : type === "cost" ? alert / 100 : alert;
