import type {
  Check,
  CheckInput,
  ChecksService,
  CheckTarget,
  GuardrailFeedback,
  KeptGuardrail,
} from "../../core/index.ts";
import type { CheckSpec, HookSpec } from "./config/hook-spec.ts";

/** A guardrail made ready to be run. */
export interface Hook extends Omit<HookSpec, "checks"> {
  readonly checks: readonly HookCheck[];
  /** Everything it does to answers, for the keys of caches. */
  readonly digest: string;
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
  readonly #made = new WeakMap<HookSpec | KeptGuardrail, Hook>();

  constructor(checks: Pick<ChecksService, "named" | "mistakes">) {
    this.#checks = checks;
  }

  written(spec: HookSpec): Hook {
    return this.#once(spec, () => spec);
  }

  kept(guardrail: KeptGuardrail, type: HookSpec["type"]): Hook {
    const hook = this.#once(guardrail, () => specOf(guardrail));
    return type === hook.type ? hook : { ...hook, type };
  }

  #once(source: HookSpec | KeptGuardrail, specify: () => HookSpec): Hook {
    const known = this.#made.get(source);
    if (known) return known;
    const spec = specify();
    const enabled = spec.checks.filter((check) => check.enabled || spec.type === "mutator");
    const checks = enabled.map((check) => this.#check(check));
    const softDeny = spec.softDeny || enabled.some(({ parameters }) => parameters.soft_deny_200 === true);
    const version = "version" in source ? source.version : undefined;
    const hook = { ...spec, checks, softDeny, digest: JSON.stringify([version ?? "", spec]) };
    this.#made.set(source, hook);
    return hook;
  }

  #check({ id, parameters: given }: CheckSpec): HookCheck {
    const { failOnError = false, forwardHeaders = [], timeout, hold, soft_deny_200: _, ...own } = given as CommonGiven;
    const common = { id, failOnError, forwardHeaders, timeout, hold };
    const check = this.#checks.named(id);
    if (!check) return { ...common, parameters: own, problem: `"${id}" is not the id of a check` };
    const [mistake] = this.#checks.mistakes(check, given);
    if (mistake) return { ...common, parameters: own, problem: `${mistake.path.join(".")}: ${mistake.message}` };
    return { ...common, id: check.id, check, parameters: check.parameters.parse(own) };
  }
}

interface CommonGiven {
  readonly failOnError?: boolean;
  readonly forwardHeaders?: readonly string[];
  readonly timeout?: number;
  readonly hold?: Hold;
  readonly soft_deny_200?: boolean;
}

function specOf({ slug, checks, actions }: KeptGuardrail): HookSpec {
  return {
    id: slug,
    type: "guardrail",
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

export type { CheckInput, CheckTarget };
