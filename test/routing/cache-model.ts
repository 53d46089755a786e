import { saidOf } from "./condition-model.ts";
import { type Judged, judge } from "./guards.ts";
import { bodyOf, forwardedOf, isLenient, type Whom } from "./leaf-model.ts";
import type { Asked, Tree } from "./trees.ts";

/** An answer that is kept. */
export interface Kept {
  readonly text: string;
  readonly streamed: boolean;
  readonly until: number;
}

export type CacheStatus = "DISABLED" | "MISS" | "REFRESH" | "HIT";

const week = 604_800;

/** What is kept of answers, as naively as the specification words it (routing-config.md section 10). */
export class CacheModel {
  readonly #kept = new Map<string, Kept>();
  /** Milliseconds. */
  now = 0;

  /** The same time, for whoever only looks, and asks no cache. */
  empty(): CacheModel {
    const empty = new CacheModel();
    empty.now = this.now;
    return empty;
  }

  find(node: Tree, whom: Whom, asked: Asked): { readonly status: CacheStatus; readonly hit?: Kept } {
    if (!node.cache) return { status: "DISABLED" };
    if (asked.headers["x-gateway-cache-force-refresh"] === "true") return { status: "REFRESH" };
    const kept = this.#kept.get(keyOf(node, whom, asked));
    const streams = bodyOf(node, whom, asked.body).stream === true;
    // A stream whose vendor was not asked for usage is no whole answer.
    const isFit = kept && kept.until > this.now && (streams || !kept.streamed);
    return isFit ? { status: "HIT", hit: kept } : { status: "MISS" };
  }

  keep(node: Tree, whom: Whom, asked: Asked, answer: { readonly text: string; readonly output: Judged }): void {
    if (!node.cache || answer.output.status !== 200) return;
    const { max_age = week } = typeof node.cache === "string" ? {} : node.cache;
    const streamed = bodyOf(node, whom, asked.body).stream === true;
    const until = this.now + Math.max(60, max_age) * 1000;
    this.#kept.set(keyOf(node, whom, asked), { text: answer.text, streamed, until });
  }
}

function keyOf(node: Tree, whom: Whom, asked: Asked): string {
  const { stream: _, ...body } = bodyOf(node, whom, asked.body);
  const { headers } = asked;
  const place = node.custom_host ?? whom.slug;
  const said = saidOf(node.metadata, asked);
  const partition = headers["x-gateway-cache-namespace"] ?? [
    Object.entries(said).toSorted(),
    whom.slug,
    node.custom_host ?? "",
    isLenient(node, asked),
    Object.entries(forwardedOf(node, asked)).toSorted(),
  ];
  const hooks = judge("output", node, "").results.map(({ id }) => id);
  return JSON.stringify([place, Object.entries(body).toSorted(), hooks, partition]);
}
