import type { z } from "zod";
import type { Hooks } from "./hooks.ts";
import type { Ask } from "./http/upstream/outbound.ts";
import type { Alias, AliasTerms, Endpoint } from "./model/endpoint.ts";
import type { Format } from "./model/format.ts";
import type { Logger } from "./model/logger.ts";
import type { OperationName } from "./model/operations.ts";
import type { InternalAnswer, InternalCall } from "./pipeline/internal-call.ts";
import type { OwnRoad } from "./pipeline/own-road/own-road.ts";
import type { ProviderRegistry } from "./provider-kit/registry.ts";
import type { ServiceToken } from "./service-token.ts";

/** The hooks without `call`: plugins listen, only the pipeline rings. */
export type TappableHooks = {
  readonly [Name in keyof Hooks]: Pick<Hooks[Name], Extract<keyof Hooks[Name], "tap" | "tapAsync" | "tapPromise">>;
};

/** What a plugin is set up with. Everything registered through it is undone when its generation closes. */
export interface PluginContext {
  /** The name this plugin goes by in the config file. */
  readonly name: string;
  readonly hooks: TappableHooks;
  /** The providers of this deployment; to be used from taps on, when all formats are known. */
  readonly providers: ProviderRegistry;
  /** The formats of this deployment, by name; complete from `onReady` on. */
  readonly formats: Pick<ReadonlyMap<string, Format>, "get" | "values">;
  readonly log: Logger;
  /** The folder of the config file: what relative paths in options are relative to. */
  readonly folder: string;
  /** Where the gateway listens, as configured. */
  readonly server: { readonly host: string; readonly port: number; readonly secure?: boolean };
  /**
   * Since when an option of this plugin, or one inside of it, is what it is, Unix milliseconds: of gateways with different
   * files it tells which is the newer one. That is since when the file is as it is; where variables are referred to in
   * the option, when it was read.
   */
  changedAt(...path: string[]): number;
  /** A service named in `needs`. */
  service<Service>(token: ServiceToken<Service>): Service;
  /** A service named in `uses`, where some plugin of the file provides it. */
  offered<Service>(token: ServiceToken<Service>): Service | undefined;
  /**
   * Offers a service named in `provides`. `seenBy` makes what each plugin is given of it, by the plugin's name, where it
   * matters who asks.
   */
  provide<Service>(token: ServiceToken<Service>, service: Service, seenBy?: (plugin: string) => Service): void;
  /**
   * What outlives this generation: made by the first one of this gateway whose plugin of this name asks for it, and handed
   * on to the next. Nothing closes it, so it holds nothing but memory.
   */
  kept<Value>(token: ServiceToken<Value>, make: () => Value): Value;
  /** Asks a provider something on the gateway's own account; from taps on, when all formats are known. */
  call<Operation extends OperationName>(call: InternalCall<Operation>): Promise<InternalAnswer<Operation>>;
  /** The road of requests, for what the gateway sends by itself for somebody; once it serves. */
  readonly own: OwnRoad;
  /** Asks a host over HTTP on the gateway's own account, by the rules for outbound addresses. */
  readonly ask: Ask;
  /** Adds a wire format. */
  format(format: Format): void;
  /** All places clients can call; complete from `onReady` on. */
  readonly endpoints: readonly Endpoint[];
  /** What beginnings of paths stand for; complete from `onReady` on. */
  readonly aliases: readonly Alias[];
  /** Adds a place clients can call. */
  endpoint(endpoint: Endpoint): void;
  /** Requests below `prefix` are read as if they came below `meant`, both with their slashes: where clients put a name before the version. */
  alias(prefix: string, meant: string, terms?: AliasTerms): void;
  /** Called once every plugin is set up and all formats and providers are known. Throwing stops the start. */
  onReady(ready: () => void | Promise<void>): void;
  /**
   * Called when this generation is the one that answers, which it never is in `sluice check` or `explain`: for what a
   * running gateway does by itself. `url` is where it listens, as this machine reaches it.
   */
  onServing(serving: (gateway: { readonly url: string }) => void): void;
  /**
   * Called once when another generation answers in the place of this one, or the gateway ends: what it does by itself has to
   * end, as soon as it can without anything being lost. `onClose` follows when the last request is over, those sent along
   * `own` included: who goes on sending keeps an old config in use.
   */
  onLeaving(leaving: () => void): void;
  /**
   * Called when this generation closes, last registered first. Register on the line after opening something. What does not
   * settle within `server.hookDeadline`, or within `longest` milliseconds where that is more, is not waited for any longer.
   */
  onClose(close: () => void | Promise<void>, longest?: number): void;
}

/** Something a plugin brings that is named elsewhere in the config: a check, by its id. */
export interface Brought {
  readonly kind: "check";
  readonly name: string;
  readonly summary: string;
  /** What it takes. */
  readonly options: z.ZodType;
}

export interface PluginDefinition<Options extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** One sentence for `sluice plugins` and the README. */
  readonly summary: string;
  /**
   * A `z.strictObject`: a mistyped option stops the start. So it does with a `z.object`, and in those inside of it, in lists
   * and in maps; `z.looseObject`, unions and transforms take what their author lets them take.
   */
  readonly options: Options;
  readonly needs?: readonly ServiceToken<unknown>[];
  /** Services this plugin makes use of when they are there. */
  readonly uses?: readonly ServiceToken<unknown>[];
  readonly provides?: readonly ServiceToken<unknown>[];
  /** For `sluice plugins`, the config schema and the documents. */
  brings?(): readonly Brought[] | Promise<readonly Brought[]>;
  setup(context: PluginContext, options: z.output<Options>): void | Promise<void>;
}

export interface Plugin<Options extends z.ZodType = z.ZodType> extends PluginDefinition<Options> {
  readonly kind: "plugin";
}
