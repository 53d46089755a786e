import {
  type Exchange,
  GatewayError,
  type GuardrailRecordsService,
  isId,
  type KeptGuardrail,
  type Logger,
  type OrganisationFacts,
  type OrganisationsService,
  type Workspace,
} from "../../core/index.ts";
import { type HookEntry, isWritten, listsOf, type Side } from "./config/fields.ts";
import type { NamedGuardrail } from "./config/hook-spec.ts";
import type { Hook, HookCompiler } from "./hook.ts";

/** A guardrail that a request meets at a target. */
export interface Planned {
  readonly hook: Hook;
  /** Whether what it says of addresses is the operator's word. */
  readonly trusted: boolean;
  /** The id of the record it is kept in; absent where it is written out. */
  readonly kept?: string;
  /** It is met as this config would have it: in another version, or with other actions, than by everybody else. */
  readonly apart?: true;
  /** It is for requests of everybody: what the config of a request makes of that request is judged by it, too. */
  readonly enforced?: true;
}

/** The guardrails of both sides, in the order they are met. */
export interface Plan {
  readonly input: readonly Planned[];
  readonly output: readonly Planned[];
}

interface Sources {
  readonly compiler: HookCompiler;
  readonly records: GuardrailRecordsService | undefined;
  readonly organisations: OrganisationsService | undefined;
  readonly log?: Pick<Logger, "warn"> | undefined;
}

type Fields = Readonly<Record<string, readonly HookEntry[] | undefined>>;

/** Finds out which guardrails a request meets at the target under way (routing-config.md section 4). */
export class Planner {
  readonly #sources: Sources;
  /** Defaults that name nothing and were told of, which is done once for each. */
  readonly #gone = new Set<string>();
  /** What a config comes to that names no kept guardrail, by its fields: nothing of that ever changes. */
  readonly #written = { file: new WeakMap<Fields, Plan>(), others: new WeakMap<Fields, Plan>() };

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** A promise only where a store has to be asked. `only`: the one side anybody wants to know of. */
  plan(exchange: Exchange, only?: Side): Plan | Promise<Plan> {
    const enforced = this.#enforced(exchange);
    return enforced instanceof Promise
      ? enforced.then((ids) => this.#planned(exchange, ids, only))
      : this.#planned(exchange, enforced, only);
  }

  #planned(exchange: Exchange, enforced: Enforced, only: Side | undefined): Plan | Promise<Plan> {
    const fields = (exchange.attempt?.target.fields ?? noFields) as Fields;
    const written = this.#written[isOfFile(exchange) ? "file" : "others"];
    const isOwn = only === undefined && enforced.input.length === 0 && enforced.output.length === 0;
    const known = isOwn ? written.get(fields) : undefined;
    if (known) return known;
    const input = only === "output" ? nothing : this.#joined("input", fields, enforced.input, exchange);
    const output = only === "input" ? nothing : this.#joined("output", fields, enforced.output, exchange);
    if (input instanceof Promise || output instanceof Promise)
      return Promise.all([input, output]).then(([before, after]) => ({ input: before, output: after }));
    const plan = { input, output };
    if (isOwn && input.every(isOfConfig) && output.every(isOfConfig)) written.set(fields, plan);
    return plan;
  }

  #joined(
    side: Side,
    fields: Fields,
    enforced: readonly string[],
    exchange: Exchange,
  ): readonly Planned[] | Promise<readonly Planned[]> {
    const [hooks, guardrails, mutators] = listsOf[side];
    const listed: Listed[] = [
      ...listedIn(fields[hooks], "guardrail", `${hooks}`),
      ...listedIn(fields[guardrails], "guardrail", `${guardrails}`),
      ...enforced.map((entry) => ({ entry, type: "guardrail" as const, place: ofDefaults, side })),
      ...listedIn(fields[mutators], "mutator", `${mutators}`),
    ];
    const found = listed.map((one) => this.#find(one, exchange));
    if (found.some((one) => one instanceof Promise)) return Promise.all(found).then(withoutRepeats);
    return withoutRepeats(found as (Planned | undefined)[]);
  }

  /** Undefined for a default that was deleted: it holds up nobody, and what stands beside it is met. */
  #find({ entry, type, place, side }: Listed, exchange: Exchange): Planned | undefined | Promise<Planned | undefined> {
    const { compiler, records } = this.#sources;
    if (isWritten(entry)) return { hook: compiler.written(entry), trusted: isOfFile(exchange) };
    const { ref, version, said }: NamedGuardrail = typeof entry === "string" ? { ref: entry } : entry;
    const { organisation, workspace } = exchange.principal ?? {};
    const made = (kept: KeptGuardrail | undefined): Planned | undefined => {
      if (kept) {
        const found = { hook: compiler.kept(kept, type, said), trusted: kept.version === undefined, kept: kept.id };
        if (typeof entry !== "string") return { ...found, apart: true };
        return side === "input" ? { ...found, enforced: true } : found;
      }
      // One of the config file goes by its name: a file that has it no longer is a mistake, and nothing was deleted.
      if (place === ofDefaults && records && isId(ref)) {
        this.#tellGone(ref, organisation);
        return undefined;
      }
      const named = version === undefined ? `guardrail "${ref}"` : `version "${version}" of a guardrail "${ref}"`;
      throw new GatewayError("invalid_request", `There is no ${named}, which ${place} names.`);
    };
    const found = records?.find(organisation, workspace, ref, version);
    return found instanceof Promise ? found.then(made) : made(found);
  }

  #tellGone(guardrail: string, organisation: string | undefined): void {
    if (this.#gone.has(guardrail)) return;
    if (this.#gone.size >= mostGone) this.#gone.clear();
    this.#gone.add(guardrail);
    const message = "a guardrail that everybody was to meet is no longer there: take it out of the defaults";
    this.#sources.log?.warn(message, { organisation, guardrail });
  }

  /** Ids of the guardrails that the organisation and the workspace of a principal set for everybody. */
  #enforced({ principal }: Exchange): Enforced | Promise<Enforced> {
    const { organisations } = this.#sources;
    const { organisation, workspace } = principal ?? {};
    if (!organisations || organisation === undefined) return noneEnforced;
    const facts = organisations.settings(organisation, workspace);
    const own = workspace === undefined ? undefined : organisations.workspace(organisation, workspace);
    if (facts instanceof Promise || own instanceof Promise)
      return Promise.all([facts, own]).then(([known, found]) => enforcedBy(known, found));
    return enforcedBy(facts, own);
  }
}

type Enforced = Readonly<Record<Side, readonly string[]>>;

interface Listed {
  readonly entry: HookEntry;
  readonly type: Hook["type"];
  readonly place: string;
  /** Of what everybody meets. */
  readonly side?: Side;
}

const ofDefaults = "the defaults of the organisation";
const mostGone = 1000;
const noFields: Fields = {};
const nothing: readonly Planned[] = [];
const none: readonly string[] = [];
const noneEnforced: Enforced = { input: none, output: none };

const isOfFile = ({ config }: Exchange): boolean => config !== undefined && config.id === undefined;
const isOfConfig = ({ kept }: Planned): boolean => kept === undefined;

const listedIn = (list: readonly HookEntry[] | undefined, type: Hook["type"], place: string): Listed[] =>
  (list ?? []).map((entry) => ({ entry, type, place }));

const enforcedBy = (facts: OrganisationFacts, workspace: Workspace | undefined): Enforced => ({
  input: enforcedOf("input", facts, workspace),
  output: enforcedOf("output", facts, workspace),
});

function enforcedOf(side: Side, facts: OrganisationFacts, workspace: Workspace | undefined): readonly string[] {
  const ofAll = side === "input" ? facts.inputGuardrails : facts.outputGuardrails;
  const own = (side === "input" ? workspace?.inputGuardrails : workspace?.outputGuardrails) ?? none;
  const excluded = workspace !== undefined && facts.excluded[side].includes(workspace.id);
  if (own.length === 0) return excluded ? none : ofAll;
  return excluded ? own : [...ofAll, ...own];
}

/**
 * A kept guardrail that is named twice is met once, and is everybody's where one of the two is. One that is written out, or
 * that a config would have otherwise, never stands for a kept one of its name.
 */
function withoutRepeats(planned: readonly (Planned | undefined)[]): readonly Planned[] {
  const met = new Map<unknown, Planned>();
  for (const one of planned) {
    if (!one) continue;
    const key = one.kept === undefined || one.apart ? one : `${one.hook.type} ${one.kept}`;
    const known = met.get(key);
    if (!known) met.set(key, one);
    else if (one.enforced) met.set(key, { ...known, enforced: true });
  }
  return [...met.values()];
}
