import { Stage } from "../../hooks.ts";
import { columns } from "../columns.ts";
import { usualStatus } from "./assumed-outcome.ts";
import type { CallFact, Explanation, Refusal, TapFact, TargetFact } from "./explanation.ts";

/** An explanation for people. */
export const show = (explanation: Explanation): string =>
  [
    head(explanation),
    ...(explanation.decisions ? [decisionsText(explanation.decisions)] : []),
    ...targetTexts(explanation.route?.targets ?? []),
    ...(explanation.refused ? [refusedText(refusedWhen(explanation), explanation.refused)] : []),
    ...(Object.keys(explanation.hooks).length > 0 ? [hooksText(explanation)] : []),
    closing(explanation),
  ].join("\n\n");

function head({ request, principal, route }: Explanation): string {
  const { method, url, endpoint, format } = request;
  const served = endpoint === undefined ? "no endpoint" : `${endpoint}${format === undefined ? "" : ` (${format})`}`;
  const rows = [["request", `${method} ${url}`, served]];
  if (principal) {
    const details = [
      ...(principal.scopes ? [scopesText(principal.scopes)] : []),
      ...Object.entries(principal.metadata ?? {}).map(([name, value]) => `${name}=${value}`),
    ];
    const { id, name } = principal;
    rows.push([
      "principal",
      name === undefined || name === id ? id : `${id} (${name})`,
      [`by ${principal.plugin}`, ...details].join("; "),
    ]);
  }
  if (route) rows.push(["route", extentOf(route.targets), `by ${route.plugin}`]);
  return columns(rows);
}

/** A key that manages holds more of them than anybody reads; `--json` has them all. */
const scopesText = (scopes: readonly string[]): string =>
  scopes.length > mostScopes ? `${scopes.length} scopes` : `scopes ${scopes.join(", ") || "none"}`;

const mostScopes = 12;

const decisionsText = (decisions: NonNullable<Explanation["decisions"]>): string =>
  `Why it goes there\n${columns(decisions.map(({ path, message }) => [`  ${path}`, message]))}`;

const isNew = ({ retry }: TargetFact): boolean => !retry;

function extentOf(targets: readonly TargetFact[]): string {
  const count = targets.filter(isNew).length;
  const retries = targets.length - count;
  return `${counted(count, "target")}${retries > 0 ? `, ${counted(retries, "retry", "retries")}` : ""}`;
}

const counted = (count: number, what: string, more = `${what}s`): string => `${count} ${count === 1 ? what : more}`;

/** Each target has a number; what is tried again keeps the one it has. */
function targetTexts(targets: readonly TargetFact[]): string[] {
  let count = 0;
  const seen = new Map<string, { readonly number: number; retries: number }>();
  return targets.map((target) => {
    const known = target.retry ? seen.get(target.path) : undefined;
    const place = known ?? { number: ++count, retries: 0 };
    seen.set(target.path, place);
    if (known) place.retries++;
    const again = target.retry ? ` (the same target, ${known ? `retry ${place.retries}` : "once more"})` : "";
    return targetText(target, `${place.number}. ${target.path}${again}`);
  });
}

function targetText(target: TargetFact, title: string): string {
  const { provider, formats, clocks, call, refused } = target;
  const named = provider.slug === provider.name ? provider.slug : `${provider.slug} (${provider.name})`;
  const times = Object.entries(clocks).map(([name, value]) => `${name} ${value} ms`);
  // One that cannot be resolved has no provider, and no clocks.
  const isResolved = provider.slug !== "";
  const rows = [
    ...(isResolved
      ? [["  provider", `${named} at ${provider.baseUrl}${target.ownTransport ? ", by a transport of its own" : ""}`]]
      : []),
    ...(target.model === undefined ? [] : [["  model", target.model]]),
    ...(target.procedure ? [["  calls", `those ${provider.name} makes for ${target.procedure}`]] : []),
    ...(target.raw ? [["  formats", "none: what comes is what goes"]] : []),
    ...(formats ? [["  formats", `${formats.client} → ${formats.upstream}, ${passage(formats.body)}`]] : []),
    ...(target.dropped.length > 0 ? [["  dropped", target.dropped.join(", ")]] : []),
    ...(isResolved ? [["  clocks", times.join(", ") || "none"]] : []),
    ...(target.lane ? [["  beside", besideText(target.lane)]] : []),
    ...(target.resume ? [["  resume", target.resume]] : []),
    ...(target.delayMs === undefined ? [] : [["  waits", `${target.delayMs} ms before`]]),
    ...(isUnusual(target) ? [["  assumed", `to answer ${target.assumedStatus}, which the route moves on from`]] : []),
  ];
  const rest = [
    ...(call ? [callText(call)] : []),
    ...(refused ? [refusedText("  Not called; it counts as", refused)] : []),
  ];
  return [title, columns(rows), ...rest].join("\n");
}

const isUnusual = ({ assumedStatus = usualStatus }: TargetFact): boolean => assumedStatus !== usualStatus;

const besideText = ({ kind, afterMs }: NonNullable<TargetFact["lane"]>): string =>
  kind === "shadow"
    ? "a copy of the request, only recorded"
    : `${afterMs} ms after it began, for the first good answer`;

const passage = (body: NonNullable<TargetFact["formats"]>["body"]): string =>
  ({
    "as received": "bytes pass through",
    "as received, model exchanged": "bytes pass through, the model exchanged in them",
    "adjusted for the provider": "rewritten as the provider needs it",
    translated: "translated",
  })[body];

function callText({ method, url, headers, later, body, bodyBytes }: CallFact): string {
  const lines = [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...later.map((what) => `(${what} are made when it is sent)`),
    ...(body === undefined ? [] : ["", ...bodyText(body).split("\n"), `(${bodyBytes} bytes)`]),
  ];
  return indented(["", ...lines]);
}

const bodyText = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body, null, 2));

const indented = (lines: readonly string[]): string => lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n");

const refusedWhen = ({ route }: Explanation): string =>
  route ? "Where all of them fail, the client gets" : "The client gets";

const refusedText = (what: string, { status, body, reason }: Refusal): string =>
  `${what} ${status}${reason === undefined ? "" : `, because: ${reason}`}\n${indented(bodyText(body).split("\n"))}`;

function hooksText({ hooks }: Explanation): string {
  const rows = Object.entries(hooks).map(([name, taps]) => [`  ${name}`, taps.map(tapText).join(", ") || "-"]);
  return `Plugins that would touch it, in their order\n${columns(rows)}`;
}

const stageNames = new Map<number, string>(Object.entries(Stage).map(([name, stage]) => [stage, name]));

const tapText = ({ plugin, stage }: TapFact): string => `${plugin} (${stageNames.get(stage) ?? stage})`;

function closing({ route, refused, hooks }: Explanation): string {
  if (!route) return "No provider was called.";
  const last = refused ? "that refusal" : "what the last one said";
  const told = `${usualStatus}${route.targets.some(isUnusual) ? ", or what is assumed there" : ""}`;
  const lines = [
    `No provider was called. After each target the route was told ${told}, to see where it would go next; the first target ` +
      `that answers ends it, and if all fail the client gets ${last}.`,
    ...(route.cut ? [`The route goes on after ${extentOf(route.targets)}; the rest is left out.`] : []),
    ...((hooks.beforeRequest?.length ?? 0) > 0
      ? [
          "Taps on beforeRequest were not run: what they change in a request, or refuse, is shown only where they say so beforehand, as limits do.",
        ]
      : []),
  ];
  return lines.join("\n");
}
