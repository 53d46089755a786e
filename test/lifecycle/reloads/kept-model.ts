import type { IncomingHttpHeaders } from "node:http";
import { expect } from "vitest";
import type { Said } from "./said.ts";
import type { Asking } from "./steps.ts";

interface Seen {
  readonly status: number | undefined;
  readonly called: readonly string[];
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
  readonly other: number;
}

/** What goes on over reloads: what was counted, who is left out, what is cached, who was sent where. */
export class KeptModel {
  #counted = 0;
  #circuit = { of: "", failures: 0 };
  #bounds = 0;
  readonly #cached = new Map<string, string>();
  readonly #sent = new Map<number, string>();

  /** Another config is in force. */
  use({ cacheBytes }: Said): void {
    if (cacheBytes !== this.#bounds) this.#cached.clear();
    this.#bounds = cacheBytes;
  }

  check(what: Asking, by: Said, seen: Seen): void {
    if (what === "limited") this.#limited(by, seen);
    else expect(seen.status, seen.text).toBe(200);
    if (what === "breaks") this.#breaks(by, seen);
    if (what === "cached") this.#answeredFromCache(by, seen);
    if (what === "sticky") this.#sticky(seen);
  }

  #limited({ limit }: Said, { status, text }: Seen): void {
    if (limit === undefined) return expect(status, text).toBe(200);
    const fits = this.#counted < limit;
    expect(status, `${this.#counted} of ${limit}: ${text}`).toBe(fits ? 200 : 429);
    if (fits) this.#counted++;
  }

  /** The first target always fails; left out for good once it did so twice, unless it is another one since. */
  #breaks({ base, key }: Said, { called }: Seen): void {
    const of = `${base} ${key}`;
    if (this.#circuit.of !== of) this.#circuit = { of, failures: 0 };
    const isOpen = this.#circuit.failures >= 2;
    expect(called).toEqual(isOpen ? [`two/${base}`] : [`one/${base}`, `two/${base}`]);
    if (!isOpen) this.#circuit.failures++;
  }

  /** Whose credential asked is no part of the question. */
  #answeredFromCache({ base }: Said, { called, headers, other, text }: Seen): void {
    const question = `${other % 3} ${base}`;
    const known = this.#cached.get(question);
    const status = Object.entries(headers).find(([name]) => name.endsWith("-cache-status"))?.[1];
    expect({ question, status, called }).toEqual({
      question,
      status: known ? "HIT" : "MISS",
      called: known ? [] : [`one/${base}`],
    });
    const { content } = JSON.parse(text).choices[0].message;
    if (known) expect(content).toBe(known);
    this.#cached.set(question, content);
  }

  #sticky({ called, other }: Seen): void {
    const target = called[0]?.split("/")[0] ?? "";
    expect(target).toBe(this.#sent.get(other % 5) ?? target);
    this.#sent.set(other % 5, target);
  }
}
