import { drawn } from "./choice-model.ts";
import type { Ended } from "./prediction.ts";
import type { Asked, Tree } from "./trees.ts";

/** Tokens a chat may use: one for four bytes of its body, and as many as it allows for each answer, or 500. */
function tokensOf(body: Asked["body"]): { readonly input: number; readonly output: number } {
  const { max_tokens, n } = body;
  const most = typeof max_tokens === "number" ? max_tokens : 500;
  const answers = typeof n === "number" && n > 1 ? n : 1;
  return { input: Math.ceil(Buffer.byteLength(JSON.stringify(body)) / 4), output: most * answers };
}

/** Of these nodes, with what stands above them, the one that is cheapest; one without a price only where none has one. */
export function cheapest(among: readonly number[], nodes: readonly Tree[], { body }: Asked, draw: number): number {
  const tokens = tokensOf(body);
  const costOf = (index: number): number => {
    const price = nodes[index]?.price;
    return price ? price.input * tokens.input + (price.output ?? 0) * tokens.output : Number.POSITIVE_INFINITY;
  };
  const least = Math.min(...among.map(costOf));
  return drawn(
    among.filter((index) => costOf(index) === least),
    nodes,
    draw,
  );
}

interface Measured {
  readonly mean?: number;
  readonly at: number;
  readonly refusals: number;
}

/** Milliseconds. */
const forgetAfter = 600_000;
const slowest = 120_000;

/** How fast targets have been of late, as the page of the strategy words it. Times are milliseconds. */
export class LatencyModel {
  readonly #known = new Map<string, Measured>();

  /** The same measurements, for whoever only looks at them. */
  copy(): LatencyModel {
    const copy = new LatencyModel();
    for (const [path, measured] of this.#known) copy.#known.set(path, measured);
    return copy;
  }

  choose(
    { strategy, targets = [] }: Tree,
    { path, among }: { readonly path: string; readonly among: readonly number[] },
    { draw, now }: { readonly draw: number; readonly now: number },
  ): number {
    const { explore = 0.05 } = strategy ?? {};
    if (draw < explore) return drawn(among, targets, draw);
    const at = (index: number) => this.#at(`${path}.targets[${index}]`, now);
    const unknown = among.filter((index) => at(index)?.mean === undefined);
    const promising = unknown.filter((index) => (at(index)?.refusals ?? 0) < 3);
    if (promising.length > 0) return drawn(promising, targets, draw);
    if (unknown.length === among.length) return drawn(unknown, targets, draw);
    const known = among.filter((index) => !unknown.includes(index));
    const least = Math.min(...known.map((index) => at(index)?.mean ?? 0));
    return known.find((index) => at(index)?.mean === least) ?? Number.NaN;
  }

  /** A child has ended, so long after it was begun. */
  ended(path: string, { status, given }: Pick<Ended, "status" | "given">, took: number, now: number): void {
    const before = this.#at(path, now);
    const isOwn = status >= 500 || [401, 402, 403, 408, 429].includes(status);
    if (status < 300) {
      if (given) return;
      const mean = before?.mean === undefined ? took : before.mean + 0.3 * (took - before.mean);
      this.#measured(path, mean, now);
    } else if (before?.mean === undefined) {
      if (isOwn || !given) this.#known.set(path, { at: now, refusals: (before?.refusals ?? 0) + 1 });
    } else if (isOwn) this.#measured(path, 2 * Math.max(before.mean, took, 1), now);
  }

  #measured(path: string, mean: number, now: number): void {
    this.#known.set(path, { mean: Math.min(mean, slowest), at: now, refusals: 0 });
  }

  #at(path: string, now: number): Measured | undefined {
    const found = this.#known.get(path);
    return found && now - found.at < forgetAfter ? found : undefined;
  }
}
