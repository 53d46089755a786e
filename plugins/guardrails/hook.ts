import {
  type Check,
  type ChecksService,
  type GuardrailFeedback,
  type KeptGuardrail,
  withHiddenCredentials,
  workersMark,
} from "../../core/index.ts";
import type { CheckSpec, HookSpec } from "./config/hook-spec.ts";

/** A guardrail made ready to be run. */
export interface Hook extends Omit<HookSpec, "checks"> {
  readonly checks: readonly HookCheck[];
  /** Everything it does to answers, for the keys of caches; credentials do not show in it. */
  readonly digest: string;
  /** Headers of the client that its checks pass on and that say something of who asks. */
  readonly passesOn: readonly string[];
  /** Whether somebody waits for a check of it that looks into the body. */
  readonly reads: boolean;
}

/** A check with its parameters read. */
export interface HookCheck {
  readonly id: string;
  /** Absent where nobody knows the id, or the parameters do not fit: `problem` says which. */
  readonly check?: Check;
  readonly problem?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly failOnError: boolean;
  readonly forwardHeaders: readonly string[];
  readonly timeout: number | undefined;
  readonly hold: Hold | undefined;
}

/** How much of a stream is held back until a check has judged it. */
export interface Hold {
  readonly characters?: number;
  readonly sentences?: number;
  readonly milliseconds?: number;
}

/** Makes hooks of what configs say and of what is kept; each once. */
export class HookCompiler {
  readonly #checks: Pick<ChecksService, "named" | "mistakes">;
  readonly #made = {
    guardrail: new WeakMap<HookSpec | KeptGuardrail, Hook>(),
    mutator: new WeakMap<HookSpec | KeptGuardrail, Hook>(),
  };

  /** Kept guardrails as configs would have them, by what those say. */
  readonly #said = new WeakMap<object, { readonly guardrail: KeptGuardrail; readonly spec: HookSpec }>();

  constructor(checks: Pick<ChecksService, "named" | "mistakes">) {
    this.#checks = checks;
  }

  written(spec: HookSpec): Hook {
    return this.#once(spec, spec.type, () => spec);
  }

  /** `said`: what a list of a config says of it, one object for as long as it does. */
  kept(guardrail: KeptGuardrail, type: HookSpec["type"], said?: Partial<HookSpec>): Hook {
    if (!said) return this.#once(guardrail, type, () => specOf(guardrail, type));
    let source = this.#said.get(said);
    if (source?.guardrail !== guardrail) {
      source = { guardrail, spec: { ...specOf(guardrail, type), ...said } };
      this.#said.set(said, source);
    }
    return this.written(source.spec);
  }

  #once(source: HookSpec | KeptGuardrail, type: HookSpec["type"], specify: () => HookSpec): Hook {
    const known = this.#made[type].get(source);
    if (known) return known;
    const spec = specify();
    const enabled = spec.checks.filter((check) => check.enabled || type === "mutator");
    const checks = enabled.map((check) => this.#check(check));
    const softDeny = spec.softDeny || enabled.some(({ parameters }) => parameters.soft_deny_200 === true);
    const reads = !spec.async && checks.some(({ check }) => !check?.bodiless);
    const digest = digestOf({ ...spec, checks: enabled }, "slug" in source ? source : undefined);
    const passesOn = [...new Set(checks.flatMap(({ forwardHeaders }) => forwardHeaders))].filter(isOfClient).sort();
    const hook = { ...spec, checks, softDeny, digest, passesOn, reads };
    this.#made[type].set(source, hook);
    return hook;
  }

  #check({ id, parameters: given }: CheckSpec): HookCheck {
    const { failOnError = false, forwardHeaders = [], timeout, hold, soft_deny_200: _, ...own } = given as CommonGiven;
    const common = { id, failOnError, forwardHeaders, timeout, hold };
    const check = this.#checks.named(id);
    if (!check) return { ...common, parameters: own, problem: `"${id}" is not the id of a check` };
    const [mistake] = this.#checks.mistakes(check, given);
    if (mistake) return { ...common, parameters: own, problem: `${mistake.path.join(".")}: ${mistake.message}` };
    return { ...common, id: check.id, check, parameters: check.parameters.parse(ownOf(check, own, given)) };
  }
}

/** Of what every check takes, those have it too that name it among their own: their defaults are others. */
function ownOf({ parameters: { shape } }: Check, own: object, given: Readonly<Record<string, unknown>>): object {
  const named = commonNames.filter((name) => Object.hasOwn(shape, name) && given[name] !== undefined);
  return named.length === 0 ? own : { ...own, ...Object.fromEntries(named.map((name) => [name, given[name]])) };
}

const commonNames = ["failOnError", "forwardHeaders", "timeout", "hold"] as const;

interface CommonGiven {
  readonly failOnError?: boolean;
  readonly forwardHeaders?: readonly string[];
  readonly timeout?: number;
  readonly hold?: Hold;
  readonly soft_deny_200?: boolean;
}

/** Of one request says what names its trace. */
const isOfClient = (name: string): boolean =>
  !/^(?:traceparent|tracestate|baggage|.*(?:trace|span|request)-id)$/.test(name);

/**
 * Without its id and its feedback: names may be made up anew by every process, and say nothing of answers. Keys of a shared
 * cache are made of it, from which a short credential could be guessed: one that differs counts by its mark, or by the
 * version of the record that it is kept in.
 */
function digestOf(spec: HookSpec, kept: KeptGuardrail | undefined): string {
  const { type, deny, sequential, softDeny } = spec;
  const { checks, credentials } = withHiddenCredentials({ checks: spec.checks, credentials: spec.credentials }) as {
    readonly [Part in "checks" | "credentials"]: unknown;
  };
  const mark = workersMark([checks, credentials]);
  const secrets = mark !== undefined && kept?.version !== undefined ? [kept.id, kept.version] : mark;
  return JSON.stringify([type, checks, deny, sequential, softDeny, credentials, secrets]);
}

function specOf({ slug, checks, actions }: KeptGuardrail, type: HookSpec["type"]): HookSpec {
  return {
    id: slug,
    type,
    checks: checks.map(({ id, parameters, enabled }) => ({ id, parameters, enabled })),
    deny: actions.deny,
    async: actions.async,
    sequential: actions.sequential,
    softDeny: actions.soft_deny_200,
    streams: actions.streams,
    onSuccess: actions.on_success.feedback as GuardrailFeedback,
    onFail: actions.on_fail.feedback as GuardrailFeedback,
  };
}
