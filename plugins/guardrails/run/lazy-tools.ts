import { CheckError, type ChecksService, type CheckTools, type Exchange } from "../../../core/index.ts";
import type { HookCheck } from "../hook.ts";
import type { Planned } from "../plan.ts";
import { CallLog, type CallsEntry } from "./call-log.ts";
import { Ending } from "./ending.ts";
import type { Subject } from "./subject.ts";

/** What tools are made with; in a stream that passes nothing is known but the check. */
export interface ToolParts {
  readonly checks: Pick<ChecksService, "tools">;
  readonly exchange?: Exchange;
  /** Nobody waits for it. */
  readonly beside?: boolean;
}

/** The tools of one run of a check, made when it asks for one of them: most need none. */
export class LazyTools implements CheckTools {
  readonly #check: HookCheck;
  readonly #planned: Planned;
  readonly #parts: ToolParts;
  readonly #subject: Subject | undefined;
  readonly #ending = new Ending();
  #made: CheckTools | undefined;
  #log: CallLog | undefined;

  constructor(check: HookCheck, planned: Planned, parts: ToolParts, subject?: Subject) {
    this.#check = check;
    this.#planned = planned;
    this.#parts = parts;
    this.#subject = subject;
  }

  get #tools(): CheckTools {
    this.#made ??= this.#make();
    return this.#made;
  }

  #make(): CheckTools {
    const { id, check, forwardHeaders, timeout } = this.#check;
    const { checks, exchange, beside } = this.#parts;
    const { hook, trusted } = this.#planned;
    if (!check) throw new CheckError("There is no such check.");
    return checks.tools(check, {
      credentials: hook.credentials?.[id.slice(0, id.indexOf("."))],
      forwardHeaders,
      timeout,
      trusted,
      signal: this.#ending.signalFor(beside ? undefined : exchange?.signal),
      ...(this.#subject && { headers: this.#subject.headers }),
      ...(exchange && { exchange }),
      ...(beside && { beside }),
    });
  }

  /** Nobody waits for the check any more: what it has asked, or asks from now on, ends. */
  giveUp(): void {
    this.#ending.now();
  }

  /** What was asked with them. */
  get calls(): CallsEntry | null {
    return this.#log?.entry ?? null;
  }

  // Getters all, so that a check may take them apart: `run(input, parameters, { ask })`.
  get credentials(): CheckTools["credentials"] {
    return this.#tools.credentials;
  }
  get trusted(): boolean {
    return this.#tools.trusted;
  }
  get forwarded(): CheckTools["forwarded"] {
    return this.#tools.forwarded;
  }
  get ask(): CheckTools["ask"] {
    this.#log ??= new CallLog(this.#tools);
    return this.#log.ask;
  }
  get call(): CheckTools["call"] {
    return this.#tools.call;
  }
  get signal(): CheckTools["signal"] {
    return this.#tools.signal;
  }
  get recall(): CheckTools["recall"] {
    return this.#tools.recall;
  }
  get remember(): CheckTools["remember"] {
    return this.#tools.remember;
  }
  get now(): CheckTools["now"] {
    return this.#tools.now;
  }
}
