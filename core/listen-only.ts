import { errorMessage } from "./errors/error-message.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import { type Attention, type HookName, type Hooks, Stage, type Wanted } from "./hooks.ts";
import type { Exchange } from "./model/exchange.ts";
import { suggestion } from "./nearest.ts";
import type { TappableHooks } from "./plugin.ts";

type Settings = { readonly name?: string; readonly stage?: number } & Attention;
type Listening = string | Settings;
/** `done` is there where a tap of `tapAsync` is called. */
type Tap = (value: unknown, exchange: Exchange, done?: (error: null, value: unknown) => void) => unknown;
type LoneTap = (exchange: Exchange, done?: () => void) => unknown;
type Listen = (tap: Listening, fn: unknown) => void;

/** The hooks with nothing on them but ways to listen, under the plugin's own name, until the start is over. */
export function listenOnly(hooks: Hooks, plugin: string, check: (what: string) => void): TappableHooks {
  const listening = Object.entries(hooks).map(([name, hook]) => {
    const on =
      (method: "tap" | "tapAsync" | "tapPromise"): Listen =>
      (tap, fn) => {
        check(`tapped ${name}`);
        if (name === "streamChunk" && method !== "tap") throw new Error(`${name} is synchronous: tap it with tap()`);
        const settings = typeof tap === "object" && tap !== null ? checked(name, tap) : {};
        if (typeof fn !== "function")
          throw new Error(`taps ${name} without a function: it is ${method}(name, function)`);
        const listen = (hook as unknown as Record<typeof method, Listen>)[method];
        const { when } = settings;
        const attention = when ? { ...settings, when: blaming(plugin, name as HookName, when) } : settings;
        listen.call(hook, { ...attention, name: plugin }, when ? picky(name, when, fn) : fn);
      };
    return [name, Object.freeze({ tap: on("tap"), tapAsync: on("tapAsync"), tapPromise: on("tapPromise") })];
  });
  return new Proxy(Object.freeze(Object.fromEntries(listening)), { get: knownHook }) as unknown as TappableHooks;
}

function knownHook(hooks: Readonly<Record<string, unknown>>, name: string | symbol): unknown {
  if (typeof name === "symbol" || name in hooks || name === "then" || name === "toJSON")
    return Reflect.get(hooks, name);
  throw new Error(`there is no hook "${name}"; ${suggestion(name, Object.keys(hooks), "hooks")}`);
}

const functions = ["when", "foresee", "again"];
const known = ["name", "stage", "bytesWillDo", "withoutUsage", ...functions];

/** What stands beside a tap's name. A mistake there would go unseen: the tap would run at another time, or too often. */
function checked(hook: string, settings: Settings): Settings {
  for (const [key, value] of Object.entries(settings)) {
    if (!known.includes(key)) throw new Error(`taps ${hook} with "${key}"; ${suggestion(key, known, "settings")}`);
    if (functions.includes(key) && value !== undefined && typeof value !== "function")
      throw new Error(`taps ${hook} with "${key}", which has to be a function`);
  }
  if ("stage" in settings && !Number.isFinite(settings.stage))
    throw new Error(`taps ${hook} at a stage there is not: it is one of Stage.${Object.keys(Stage).join(", Stage.")}`);
  return settings;
}

/**
 * Whether a tap wants to see an exchange, where it fails to say. On `cost`, where each is asked whatever becomes of others,
 * it is asked then, and fails by itself.
 */
const blaming =
  (plugin: string, hook: HookName, when: Wanted): Wanted =>
  (exchange) => {
    try {
      return when(exchange);
    } catch (cause) {
      if (hook === "cost") return true;
      throw new GatewayError(
        "plugin_failed",
        `[plugin ${plugin}] ${hook}: when: ${errorMessage(cause)}`,
        { plugin, hook },
        { cause },
      );
    }
  };

/** A tap of a hook that is asked only about what it wants to see. */
const picky = (hook: string, when: Wanted, tap: unknown): unknown =>
  hook === "cost" ? attentiveTo(when, tap as LoneTap) : attentive(when, tap as Tap);

/** Asks a tap only about what it wants to see; of everything else, what went in comes out. */
const attentive = (when: Wanted, tap: Tap): Tap =>
  function ifWanted(value, exchange, done) {
    if (when(exchange)) return tap(value, exchange, done);
    if (!done) return value;
    done(null, value);
    return undefined;
  };

/** The same for hooks that pass nothing on but the exchange. */
const attentiveTo = (when: Wanted, tap: LoneTap): LoneTap =>
  function ifWanted(exchange, done) {
    return when(exchange) ? tap(exchange, done) : done?.();
  };
