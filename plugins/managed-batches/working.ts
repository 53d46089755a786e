import type {
  ApiKeysService,
  BlobsService,
  Format,
  ManagedFilesService,
  OwnRoad,
  PluginContext,
} from "../../core/index.ts";
import type { Clock } from "./clock.ts";
import type { HeaderKeeper } from "./gateway-options.ts";
import type { HeldBatch } from "./store.ts";

/** What the work on batches needs. */
export interface Working {
  readonly own: OwnRoad;
  readonly blobs: BlobsService;
  readonly files: ManagedFilesService;
  readonly headers: HeaderKeeper;
  readonly keys: Pick<ApiKeysService, "today"> | undefined;
  /** The format of an endpoint that lines are for. */
  readonly formatAt: (endpoint: string) => Format | undefined;
  readonly clock: Clock;
  readonly log: PluginContext["log"];
  readonly options: BatchOptions;
}

export interface BatchOptions {
  readonly maxLines: number;
  readonly groupLines: number;
  readonly groupInterval: number;
  readonly retries: number;
  readonly statusInterval: number;
}

/** A batch under way. */
export interface Work {
  readonly working: Working;
  readonly batch: HeldBatch;
  /** Fires when this process is to stop: what is under way is cut off. */
  readonly signal: AbortSignal;
  /** Fires with it, or before: nothing more is to be begun, and what is under way is written down. */
  readonly leaving: AbortSignal;
  /** Does what is mostly waiting for somebody else, while another batch may be worked on. */
  aside<Value>(doing: () => Promise<Value>): Promise<Value>;
  /** Whether others wait for its place: it is to be left where that costs nothing, and the batch gone on with later. */
  isTurnOver(): boolean;
}

export const secondsOf = ({ working: { clock } }: Pick<Work, "working">): number => Math.floor(clock.now() / 1000);
