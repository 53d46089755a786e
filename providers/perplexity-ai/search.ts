import { isRecord } from "../../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = (dropped: string) => void;

/** What both APIs call the same: beside the messages in chat completions, in `filters` of the tool in the Agent API. */
const filters = [
  "search_domain_filter",
  "search_recency_filter",
  "search_after_date_filter",
  "search_before_date_filter",
  "last_updated_after_filter",
  "last_updated_before_filter",
] as const;

/**
 * Fields of chat completions that say how to search the web, for which the Agent API has the tool `web_search` (docs.perplexity.ai, Search
 * Filters, and Web Search; the vendor's own table of fields in api-platform-developers, `migrate-sonar-to-agent-api`). It refuses requests
 * with fields that it does not know, nested ones, too: only those that it documents are taken along.
 */
export const searchFields: readonly string[] = [
  ...filters,
  "num_search_results",
  "web_search_options",
  "disable_search",
];

/** What the Agent API knows of where somebody is. */
const places: ReadonlySet<string> = new Set(["city", "region", "country", "latitude", "longitude"]);

/**
 * Puts what chat completions say about searching into the tool that searches: the client's own, whose word wins, or a new one. `report` takes
 * the names of what the tool has no place for.
 */
export function searching(wire: Wire, report: Report): Wire {
  if (!searchFields.some((name) => name in wire)) return wire;
  const rest = Object.fromEntries(Object.entries(wire).filter(([name]) => !searchFields.includes(name)));
  const tools: readonly unknown[] = Array.isArray(wire.tools) ? wire.tools : [];
  const at = tools.findIndex(isSearch);
  const searches = at >= 0 || wire.preset !== undefined;
  if (wire.disable_search === true) {
    // Where nothing searches there is nothing to set; a preset searches whatever the request says.
    if (!searches) return rest;
    report("disable_search");
  }
  const settings = settingsOf(wire, report);
  const isAsked = Object.keys(settings).length > 0 || (!searches && isRecord(wire.web_search_options));
  if (!isAsked) return rest;
  const tool = joined(settings, tools[at]);
  return { ...rest, tools: at < 0 ? [...tools, tool] : tools.with(at, tool) };
}

const isSearch = (tool: unknown): boolean => isRecord(tool) && tool.type === "web_search";

const joined = (settings: Wire, own: unknown): Wire => {
  const tool = isRecord(own) ? own : { type: "web_search" };
  const said = isRecord(settings.filters) && isRecord(tool.filters);
  return { ...settings, ...tool, ...(said && { filters: Object.assign({}, settings.filters, tool.filters) }) };
};

/** The settings of the tool. What a client leaves empty says nothing. */
function settingsOf(wire: Wire, report: Report): Wire {
  const chosen = filters.filter((name) => isSaid(wire[name])).map((name) => [name, wire[name]]);
  const { num_search_results: results, web_search_options: options } = wire;
  return {
    ...(chosen.length > 0 && { filters: Object.fromEntries(chosen) }),
    ...(isSaid(results) && { max_results: results }),
    ...(isSaid(options) && optionsOf(options, report)),
  };
}

function optionsOf(options: unknown, report: Report): Wire {
  if (!isRecord(options)) return named(report, "web_search_options");
  const { search_context_size: size, user_location: location, ...others } = options;
  reportAll(others, "web_search_options", report);
  return {
    ...(isSaid(size) && { search_context_size: size }),
    ...(isSaid(location) && locationOf(location, report)),
  };
}

/** OpenAI's clients say where somebody is one level deeper, and that it is not exact. */
function locationOf(location: unknown, report: Report): Wire {
  const path = "web_search_options.user_location";
  if (!isRecord(location)) return named(report, path);
  const { type: _, approximate, ...flat } = location;
  const said = Object.entries(isRecord(approximate) ? approximate : flat).filter(([, value]) => isSaid(value));
  const known = said.filter(([name]) => places.has(name));
  reportAll(Object.fromEntries(said.filter(([name]) => !places.has(name))), path, report);
  return known.length > 0 ? { user_location: Object.fromEntries(known) } : {};
}

const isSaid = (value: unknown): boolean => value !== null && value !== undefined;

function reportAll(fields: Wire, path: string, report: Report): void {
  for (const [name, value] of Object.entries(fields)) if (isSaid(value)) report(`${path}.${name}`);
}

function named(report: Report, name: string): Wire {
  report(name);
  return {};
}
