import { createHash } from "node:crypto";
import type { z } from "zod";
import { compact, type Fields, type FunctionTool, isRecord, type Tool } from "../../core/index.ts";
import { type Group, ownExtra, readExtra } from "./extra.ts";
import { writtenTools } from "./tool-search.ts";
import type { namespaceTool } from "./wire.ts";

/**
 * Tools of this format may stand in groups, and a call names group and tool. No other format has groups: there a tool is called
 * by both names in one, and says what its group is for.
 */
export type Namespace = z.output<typeof namespaceTool>;

/** Characters that vendors take in a name. */
const longest = 64;

/** The one name of a tool in a group: `crm__get_customer`. */
export function nameIn(namespace: unknown, name: string): string {
  if (typeof namespace !== "string" || namespace === "") return name;
  const whole = `${namespace}__${name}`;
  if (whole.length <= longest) return whole;
  const digest = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  return `${whole.slice(0, longest - digest.length - 1)}_${digest}`;
}

/** A tool as one of a group, which remembers how it was written. */
export function inNamespace(tool: FunctionTool, { name: group, description: purpose }: Namespace): FunctionTool {
  const { name, description, extra } = tool;
  const said = [purpose, description].filter((text) => text).join("\n\n");
  const { fields, item } = readExtra(extra);
  return {
    ...tool,
    name: nameIn(group, name),
    ...(said !== "" && { description: said }),
    ...ownExtra(fields, { item, group: { name: group, purpose, tool: { name, ...compact({ description }) } } }),
  };
}

/** A tool as it was written in its group. */
export function outOfNamespace(
  { name: _, description: __, ...tool }: FunctionTool,
  { tool: own }: Group,
): FunctionTool {
  return { ...tool, ...own };
}

/** Puts a tool behind those of its group, where the one before it is of the same. */
export function intoGroup(encoded: Fields[], tool: Fields, { name: group, purpose }: Group): void {
  const last = encoded.at(-1);
  if (last?.type === "namespace" && last.name === group && Array.isArray(last.tools)) last.tools.push(tool);
  else
    encoded.push({
      type: "namespace",
      name: group,
      ...compact({ description: purpose }),
      tools: [tool],
    });
}

/** How a tool is called in the words of its client. */
export interface Called {
  /** Group and name; nothing where it stands in none. */
  readonly group: Readonly<Fields> | undefined;
  /** It takes free text. */
  readonly free: boolean;
}

/** The tools of a request as it was written, by the one name others call them by. The first of a name is the one they were offered. */
export function calledAs(asked: Readonly<Fields> | undefined): ReadonlyMap<string, Called> {
  const named = new Map<string, Called>();
  for (const tool of writtenTools(asked)) {
    if (!isRecord(tool) || typeof tool.name !== "string") continue;
    const { name: namespace } = tool;
    const inner = tool.type === "namespace" && Array.isArray(tool.tools) ? tool.tools : undefined;
    for (const one of inner ?? [tool]) {
      if (!isRecord(one) || typeof one.name !== "string") continue;
      const name = inner ? nameIn(namespace, one.name) : one.name;
      const group = inner && { name: one.name, namespace };
      if (!named.has(name)) named.set(name, { group, free: one.type === "custom" });
    }
  }
  return named;
}

/** What a call has to remember so that it is written with its group: nothing where it has none. */
export const calledIn = ({ namespace, name }: Readonly<Fields>): Fields =>
  typeof namespace === "string" && namespace !== "" ? { namespace, name } : {};

/** Whether others can be given all tools of a group. */
export const isPlain = (tools: readonly Tool[]): tools is FunctionTool[] =>
  tools.every(({ type }) => type === "function");
