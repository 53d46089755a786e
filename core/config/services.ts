import type { Plugin } from "../plugin.ts";

/** A plugin under the name it has in the file. */
export interface NamedPlugin {
  readonly name: string;
  readonly plugin: Pick<Plugin, "needs" | "uses" | "provides">;
}

/** What keeps a plugin from being set up; `name` is the plugin to report it at. */
export interface ServiceProblem {
  readonly name: string;
  readonly message: string;
}

const needsOf = ({ plugin }: NamedPlugin) => (plugin.needs ?? []).map(({ name }) => name);
/** Everything a plugin is set up after, where it is there. */
const awaitedBy = ({ plugin }: NamedPlugin) =>
  [...(plugin.needs ?? []), ...(plugin.uses ?? [])].map(({ name }) => name);
const providesOf = ({ plugin }: NamedPlugin) => (plugin.provides ?? []).map(({ name }) => name);

/** Providers of a service before those that need it; beyond that, the order of the file. */
export function orderByServices<Each extends NamedPlugin>(
  plugins: readonly Each[],
): {
  ordered: Each[];
  problems: ServiceProblem[];
} {
  const problems = twiceProvided(plugins);
  const offered = new Set(plugins.flatMap(providesOf));
  const ready = new Set<string>();
  const ordered: Each[] = [];
  let waiting = [...plugins];
  for (;;) {
    const next = waiting.find((each) =>
      awaitedBy(each).every((service) => ready.has(service) || !offered.has(service)),
    );
    if (!next) break;
    ordered.push(next);
    waiting = waiting.filter((each) => each !== next);
    for (const service of providesOf(next)) ready.add(service);
  }
  const circle = circleIn(waiting);
  if (circle) problems.push(circle);
  return { ordered: [...ordered, ...waiting], problems };
}

/** Services nobody in the file provides, with who needs them. */
export function missingServices(plugins: readonly NamedPlugin[]): { name: string; service: string }[] {
  const offered = new Set(plugins.flatMap(providesOf));
  return plugins.flatMap((each) =>
    needsOf(each)
      .filter((service) => !offered.has(service))
      .map((service) => ({ name: each.name, service })),
  );
}

function twiceProvided(plugins: readonly NamedPlugin[]): ServiceProblem[] {
  const first = new Map<string, string>();
  const problems: ServiceProblem[] = [];
  for (const each of plugins) {
    for (const service of providesOf(each)) {
      const other = first.get(service);
      if (other === undefined) first.set(service, each.name);
      else
        problems.push({ name: each.name, message: `provides "${service}", and so does "${other}"; keep one of them` });
    }
  }
  return problems;
}

/** Follows needs among plugins that all wait for each other until one comes up again. */
function circleIn(waiting: readonly NamedPlugin[]): ServiceProblem | undefined {
  const trail: NamedPlugin[] = [];
  let current: NamedPlugin | undefined = waiting[0];
  while (current && !trail.includes(current)) {
    trail.push(current);
    const needed = awaitedBy(current);
    current = waiting.find((other) => providesOf(other).some((service) => needed.includes(service)));
  }
  if (!current) return undefined;
  const names = [...trail.slice(trail.indexOf(current)), current].map(({ name }) => name);
  return { name: current.name, message: `waits for its own service: ${names.join(" needs ")}` };
}
