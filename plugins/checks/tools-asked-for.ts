import { type Fields, fieldsIn, isRecord, recordsIn, z } from "../../core/index.ts";

/** A tool that a request offers to the model. */
export interface OfferedTool {
  readonly type: string;
  readonly name: string;
}

const strings = z.array(z.string()).default([]);

/** Which tools may be offered; empty lists of what is allowed ask for nothing. */
export const toolRules = {
  blockedTypes: strings.describe(
    "Types of tools that may not be offered; of tools without one, the member that says what it is: `googleSearch`, `web_search_options`, `mcp_servers`, `plugins`.",
  ),
  allowedTypes: strings.describe("Types that may; any where empty."),
  blockedFunctionNames: strings.describe("Names of tools that may not be offered."),
  allowedFunctionNames: strings.describe("Names that may; any where empty."),
};

type ToolRules = { readonly [Name in keyof typeof toolRules]: readonly string[] };

export interface RefusedTool extends OfferedTool {
  readonly reasons: readonly string[];
}

/** What an allowed and a blocked list have in common: a mistake. */
export const inBoth = (allowed: readonly unknown[], blocked: readonly unknown[]): unknown[] =>
  allowed.filter((one) => blocked.includes(one));

export const conflictsOf = (rules: ToolRules): unknown[] => [
  ...inBoth(rules.allowedTypes, rules.blockedTypes),
  ...inBoth(rules.allowedFunctionNames, rules.blockedFunctionNames),
];

export const refusedTools = (json: unknown, rules: ToolRules): RefusedTool[] =>
  offeredTools(json)
    .map((tool) => ({ ...tool, reasons: reasonsAgainst(tool, rules) }))
    .filter(({ reasons }) => reasons.length > 0);

function reasonsAgainst({ type, name }: OfferedTool, rules: ToolRules): string[] {
  const { blockedTypes, allowedTypes, blockedFunctionNames, allowedFunctionNames } = rules;
  return [
    ...(isAmong(blockedTypes, type) ? ["type_blocked"] : []),
    ...(blockedFunctionNames.includes(name) ? ["name_blocked"] : []),
    ...(allowedTypes.length > 0 && !isAmong(allowedTypes, type) ? ["type_not_allowed"] : []),
    ...(allowedFunctionNames.length > 0 && !allowedFunctionNames.includes(name) ? ["name_not_allowed"] : []),
  ];
}

/** The same tool of Google's is `googleSearch` to one client, and `google_search` to another. */
const isAmong = (types: readonly string[], type: string): boolean =>
  types.some((one) => spelled(one) === spelled(type));

const spelled = (type: string): string => type.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** The tools of a request, in the shapes clients write: a list of tools in one of them is as many. */
function offeredTools(json: unknown): OfferedTool[] {
  const { tools, toolConfig, functions, input } = fieldsIn(json);
  const onTheWay = recordsIn(input).filter(({ type }) => bringsTools.has(type));
  const lists = [tools, fieldsIn(toolConfig).tools, ...onTheWay.map((item) => item.tools)];
  return [...recordsIn(functions).map(asFunction), ...lists.flatMap(oneOrMore).flatMap(toolsIn), ...toolsBeside(json)];
}

/**
 * Members of a body that offer something to the model as tools do, and what each of theirs is called: the search of chat completions,
 * the servers of the Messages API, and OpenRouter's search, which is one of its plugins.
 */
const besideTools: Readonly<Record<string, (one: Fields) => unknown>> = {
  web_search_options: () => "web_search_options",
  mcp_servers: ({ name }) => name ?? "mcp_servers",
  plugins: ({ id }) => (id === "web" ? id : undefined),
};

const toolsBeside = (json: unknown): OfferedTool[] =>
  Object.entries(besideTools).flatMap(([type, nameOf]) =>
    oneOrMore(fieldsIn(json)[type]).flatMap((one) => {
      const name = nameOf(one);
      return name === undefined ? [] : [{ type, name: textOr(name, type) }];
    }),
  );

/** Gemini's API takes one thing alone where it has a list. */
const oneOrMore = (list: unknown): Fields[] => recordsIn([list].flat());

/** Items of a conversation that offer tools from there on. */
const bringsTools: ReadonlySet<unknown> = new Set(["additional_tools", "tool_search_output"]);

const asFunction = ({ name }: Fields): OfferedTool => ({ type: "function", name: textOr(name, "function") });

function toolsIn(entry: Fields): OfferedTool[] {
  const { type: written, function: own, functionDeclarations, function_declarations, ...members } = entry;
  const functions = [functionDeclarations, function_declarations].flatMap(oneOrMore).map(asFunction);
  const several = [...functions, ...recordsIn(entry.tools).flatMap(toolsIn)];
  const { name, custom, toolSpec } = members;
  const named = textIn([fieldsIn(own).name, fieldsIn(custom).name, fieldsIn(toolSpec).name, name]);
  if (typeof written === "string") return [{ type: written, name: named ?? written }, ...several];
  if (named !== undefined || isRecord(own) || isRecord(toolSpec))
    return [{ type: "function", name: named ?? "function" }, ...several];
  // What an entry without a type is stands in the name of its member: `{ "googleSearch": {} }`, `{ "mcpServers": [{ "name": "crm" }] }`.
  const keyed = Object.entries(members).flatMap(([type, value]) =>
    noTools.has(type) ? [] : oneOrMore(value).map((one): OfferedTool => ({ type, name: textOr(one.name, type) })),
  );
  return [...several, ...keyed];
}

/** Members of entries that offer nothing. */
const noTools: ReadonlySet<string> = new Set(["cachePoint", "tools"]);

const textIn = (values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string");

const textOr = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);
