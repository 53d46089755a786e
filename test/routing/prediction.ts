import type { CacheStatus, Kept } from "./cache-model.ts";
import type { Judged } from "./guards.ts";
import type { Fields, Tree } from "./trees.ts";
import type { Behaviour } from "./vendors.ts";

/** One call of a leaf, as it is to be. */
export interface Predicted {
  readonly path: string;
  readonly slug: string;
  readonly place: string;
  readonly key: string;
  readonly body: Fields;
  readonly forwarded: Readonly<Record<string, string>>;
  readonly retry: boolean;
  readonly waited: number;
  readonly behaviour: Behaviour;
  readonly patience: number;
  readonly status: number;
  /** What guardrails said of its answer. */
  readonly output: Judged;
  readonly lenient: boolean;
}

/** How a leaf ended. */
export interface Ended {
  readonly path: string;
  readonly status: number;
  readonly retries: number;
  readonly slug?: string;
  /** The call that is answered with; absent where nobody was called. */
  readonly call?: Predicted;
  /** A network failure, whatever the status. */
  readonly broken?: boolean;
  readonly silent?: boolean;
  readonly hopeless?: boolean;
  /** Answered by a plugin, in place of a call. */
  readonly given?: boolean;
  readonly input: Judged;
  /** Absent where nobody has looked. */
  readonly cache?: CacheStatus;
  /** What is answered in place of a call, and whether in a stream. */
  readonly hit?: Pick<Kept, "text"> & { readonly streams: boolean; readonly lenient: boolean };
  /** Keeps the answer, where it is one that gets to its end. */
  readonly keep?: () => void;
  readonly policy?: Tree["cb_config"];
}

/** What there is to tell of a call, or of a leaf that could not be called. */
export interface Attempted extends Pick<Predicted, "path" | "retry" | "waited" | "status"> {
  readonly slug?: string;
  readonly call?: Predicted;
}

/** What comes of a request; `refused` where the config itself leads nowhere. */
export interface Prediction {
  readonly calls: readonly Predicted[];
  /** The calls, and the leaves that could not be called, in order. */
  readonly attempts: readonly Attempted[];
  /** Children that were left out because their circuits are open. */
  readonly leftOut: readonly string[];
  readonly ended: Ended | "refused";
}

/** A config leads nowhere: a choice among nothing, a condition that cannot be asked. */
export class Refused extends Error {}
