import type { Ask, Check, CheckMistake, ChecksService, CheckTools, CheckUse, Logger } from "../../core/index.ts";
import { AgedMap } from "../../core/index.ts";
import { type Asker, askerFor } from "./asking.ts";
import { commonParameters } from "./common-parameters.ts";
import { forwardedOf } from "./forwarded.ts";
import { misspelt } from "./misspelt.ts";

interface Surroundings {
  readonly ask: Ask;
  readonly call: CheckTools["call"];
  readonly log: Logger;
  readonly credentials: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly timeout: number | undefined;
}

/** Things checks remember, over all of them. */
const mostRemembered = 10_000;

/** All checks of a deployment, by id. */
export class CheckRegistry implements ChecksService {
  readonly #surroundings: Surroundings;
  readonly #byId = new Map<string, Check>();
  readonly #checks: Check[] = [];
  readonly #memory = new AgedMap<string, { readonly value: unknown; readonly until: number }>();
  readonly #asker: Asker;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#asker = askerFor(surroundings.ask);
  }

  get all(): Iterable<Check> {
    return this.#checks;
  }

  named(id: string): Check | undefined {
    return this.#byId.get(id);
  }

  add(check: Check): void {
    for (const id of [check.id, ...(check.aliases ?? [])]) {
      if (this.#byId.has(id)) throw new Error(`there are two checks with the id "${id}"; give one of them another id`);
      this.#byId.set(id, check);
    }
    this.#checks.push(check);
  }

  mistakes(check: Check, given: Readonly<Record<string, unknown>>): readonly CheckMistake[] {
    const read = [commonParameters.safeParse(given), check.parameters.loose().safeParse(given)] as const;
    const found = read.flatMap(({ error }) => error?.issues ?? []);
    if (found.length > 0) return found.map(({ path, message }) => ({ path, message }));
    const refused = read[1].data && check.refuse?.(read[1].data);
    return refused === undefined ? [] : [{ path: [], message: refused }];
  }

  misspelt(check: Check, given: Readonly<Record<string, unknown>>): readonly CheckMistake[] {
    return misspelt([...Object.keys(check.parameters.shape), ...Object.keys(commonParameters.shape)], given);
  }

  doubt(check: Check, given: Readonly<Record<string, unknown>>): string | undefined {
    const { data } = check.doubt ? check.parameters.loose().safeParse(given) : {};
    return data && check.doubt?.(data);
  }

  tools(check: Check, use: CheckUse): CheckTools {
    const { call, credentials, timeout } = this.#surroundings;
    const family = check.id.slice(0, check.id.indexOf("."));
    const memory = this.#memory;
    const { exchange, beside } = use;
    const signal = use.signal ?? (beside ? undefined : exchange?.signal);
    const trusted = use.trusted || (use.credentials === undefined && credentials[family] !== undefined);
    return {
      credentials: use.credentials ?? credentials[family] ?? {},
      trusted,
      ask: (request) =>
        this.#asker(
          { ...request, timeout: use.timeout ?? request.timeout ?? timeout ?? 5_000 },
          { trusted: trusted && request.found !== true, family, signal },
        ),
      call: (asked) => {
        const clocks = asked.clocks ?? (use.timeout === undefined ? undefined : { total: use.timeout });
        const ends = eitherOf(signal, asked.signal);
        const of = Object.assign(exchange ? { exchange } : {}, asked, ends && { signal: ends });
        return call(Object.assign(of, clocks && { clocks }, beside && { outlives: true }));
      },
      forwarded: forwardedOf(use),
      ...(signal && { signal }),
      recall<Value>(key: string) {
        const kept = memory.get(`${check.id} ${key}`);
        return kept && kept.until > Date.now() ? (kept.value as Value) : undefined;
      },
      remember(key, value, seconds) {
        memory.set(`${check.id} ${key}`, { value, until: Date.now() + seconds * 1000 });
        if (memory.size > mostRemembered) memory.shift();
      },
      now: () => Date.now(),
    };
  }
}

/** A check that gives its own call up earlier does not let it go on after its own end. */
const eitherOf = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one && other ? AbortSignal.any([one, other]) : (one ?? other);
