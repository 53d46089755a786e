import { z } from "../../core/index.ts";

/** A tool that a request offers to the model. */
export interface OfferedTool {
  readonly type: string;
  readonly name: string;
}

const strings = z.array(z.string()).default([]);

/** Which tools may be offered; empty lists of what is allowed ask for nothing. */
export const toolRules = {
  blockedTypes: strings.describe("Types of tools that may not be offered."),
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
    ...(blockedTypes.includes(type) ? ["type_blocked"] : []),
    ...(blockedFunctionNames.includes(name) ? ["name_blocked"] : []),
    ...(allowedTypes.length > 0 && !allowedTypes.includes(type) ? ["type_not_allowed"] : []),
    ...(allowedFunctionNames.length > 0 && !allowedFunctionNames.includes(name) ? ["name_not_allowed"] : []),
  ];
}

const named = z.object({ name: z.string().optional().catch(undefined) });
const entry = named.extend({
  type: z.string().optional().catch(undefined),
  function: named.optional().catch(undefined),
  functionDeclarations: z.array(named).optional().catch(undefined),
  function_declarations: z.array(named).optional().catch(undefined),
  toolSpec: named.optional().catch(undefined),
});
const body = z.object({ tools: z.array(entry).optional().catch(undefined) });

/** The entries of `tools`, in the shapes clients write: a list of functions in one of them is as many tools. */
function offeredTools(json: unknown): OfferedTool[] {
  const read = body.safeParse(json);
  return (read.data?.tools ?? []).flatMap((tool) => {
    const functions = tool.functionDeclarations ?? tool.function_declarations;
    if (functions) return functions.map(({ name = "function" }) => ({ type: "function", name }));
    const type = tool.type ?? "function";
    return [{ type, name: tool.function?.name ?? tool.toolSpec?.name ?? tool.name ?? type }];
  });
}
