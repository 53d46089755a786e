import { compact, type Fields, type FunctionTool, isRecord, jsonOr, saysNothing, writeJson } from "../../core/index.ts";
import { ownExtra } from "./extra.ts";
import { hasClientSearch, searchItem, searchName } from "./tool-search.ts";

type Wire = Readonly<Record<string, unknown>>;

/**
 * A tool that this API has a name and items of its own for, and that the client runs: to vendors of other formats it is a function
 * of the same name (OpenAI: shell, apply patch).
 */
interface ClientTool {
  readonly description: string;
  readonly parameters: Readonly<Fields>;
  /** What ids of its calls begin with. */
  readonly prefix: string;
  /** The field of a call that says what is to be done, of the arguments a model gave; undefined where they do not say it. */
  readonly read: (given: Wire) => Wire | undefined;
  /** The arguments of a call in the history. */
  readonly asked: (item: Wire) => Wire;
  /** What a result in the history says. */
  readonly said: (item: Wire) => string;
}

const text = { type: "string" };
const whole = { type: "integer" };

const operations: readonly unknown[] = ["create_file", "update_file", "delete_file"];

const operation = {
  type: "object",
  properties: { type: { ...text, enum: operations }, path: text, diff: text },
  required: ["type", "path"],
  additionalProperties: false,
};

const applyPatch: ClientTool = {
  description:
    "Creates, changes or deletes one file. `diff` is left out where a file is deleted. Where one is created, every line of it is a line " +
    "of the file with `+` in front. Where one is changed, it is a list of hunks without numbers of lines: each begins with a line `@@`, which may " +
    "name the function or class around it, and holds some lines before and after the change with a blank in front, lines that go " +
    "with `-`, and lines that come with `+`.",
  parameters: { type: "object", properties: { operation }, required: ["operation"], additionalProperties: false },
  prefix: "apc",
  read: (given) => {
    // Some models write an object within another one as text, or leave the outer one out.
    const { operation: inner = given } = given;
    const said = typeof inner === "string" ? jsonOr(inner, undefined) : inner;
    if (!isRecord(said) || !operations.includes(said.type) || typeof said.path !== "string") return undefined;
    return said.type === "delete_file" || typeof said.diff === "string" ? { operation: said } : undefined;
  },
  asked: (item) => ({ operation: item.operation }),
  said: ({ output, status }) =>
    typeof output === "string" && output !== "" ? output : status === "failed" ? "It failed." : "Done.",
};

const shell: ClientTool = {
  description:
    "Runs commands in a shell of the user's, each by itself and at the same time. Says what each wrote to its output and how it ended.",
  parameters: {
    type: "object",
    properties: { commands: { type: "array", items: text }, timeout_ms: whole, max_output_length: whole },
    required: ["commands"],
    additionalProperties: false,
  },
  prefix: "sh",
  read: ({ commands, timeout_ms, max_output_length }) => {
    const all = typeof commands === "string" ? [commands] : commands;
    if (!Array.isArray(all) || !all.every((one) => typeof one === "string")) return undefined;
    const number = (value: unknown) => (typeof value === "number" ? value : null);
    return {
      action: { commands: all, timeout_ms: number(timeout_ms), max_output_length: number(max_output_length) },
    };
  },
  asked: ({ action }) =>
    isRecord(action) ? Object.fromEntries(Object.entries(action).filter(([, value]) => value !== null)) : {},
  said: ({ output }) =>
    Array.isArray(output) ? output.filter(isRecord).map(ended).join("\n\n") : String(output ?? ""),
};

/** What one command wrote, and how it ended. */
function ended({ stdout, stderr, outcome }: Wire): string {
  const { type, exit_code: code } = isRecord(outcome) ? outcome : {};
  const end = type === "timeout" ? "It took too long." : typeof code === "number" ? `Exit code: ${code}` : "";
  return [stdout, stderr, end].filter((one) => typeof one === "string" && one !== "").join("\n");
}

const tools: ReadonlyMap<string, ClientTool> = new Map([
  ["apply_patch", applyPatch],
  ["shell", shell],
]);

const callType = (name: string): string => `${name}_call`;

interface ItemType {
  readonly name: string;
  readonly tool: ClientTool;
  /** A call, or else what came of one. */
  readonly isCall: boolean;
}

/** What the items of such tools are called. */
const itemTypes = new Map<unknown, ItemType>();
for (const [name, tool] of tools) {
  itemTypes.set(callType(name), { name, tool, isCall: true });
  itemTypes.set(`${callType(name)}_output`, { name, tool, isCall: false });
}

/** The tool of this name as others are offered it; undefined where a tool is none of these, or runs at the vendor. */
export function asClientFunction(tool: unknown): FunctionTool | undefined {
  if (!isRecord(tool)) return undefined;
  const name = String(tool.type);
  const known = tools.get(name);
  if (!known || !isAtClient(tool)) return undefined;
  return {
    type: "function",
    name,
    description: known.description,
    parameters: known.parameters,
    ...saidBeside(tool),
  };
}

/** What else a client says of such a tool: where it runs is told with it, and `skills` that are there are not. */
function saidBeside({ type: _, environment, ...rest }: Wire): Partial<FunctionTool> {
  const { type: __, ...more } = isRecord(environment) ? environment : {};
  const skills = Object.values(more).every(saysNothing) ? {} : { environment };
  const fields = compact({ ...rest, ...skills });
  // Saying nothing of it would mean strict.
  return Object.keys(fields).length > 0 ? { strict: false, ...ownExtra(fields) } : {};
}

/** Containers are the vendor's. */
const isAtClient = ({ environment }: Wire): boolean =>
  environment === undefined || environment === null || (isRecord(environment) && environment.type === "local");

/** What an item of the input says that is a call of such a tool, or its result. */
export type ClientItem =
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly arguments: string }
  | { readonly kind: "output"; readonly id: string; readonly text: string; readonly failed: boolean };

/** Whether an item of the input is a call of such a tool, or its result. */
export function isClientItem(item: Wire): boolean {
  const known = itemTypes.get(item.type);
  return known !== undefined && typeof item.call_id === "string" && (!known.isCall || isAtClient(item));
}

export function clientItem(item: Wire): ClientItem | undefined {
  const known = itemTypes.get(item.type);
  if (!known || !isClientItem(item)) return undefined;
  const { name, tool, isCall } = known;
  const id = String(item.call_id);
  return isCall
    ? { kind: "call", id, name, arguments: writeJson(tool.asked(item)) }
    : { kind: "output", id, text: tool.said(item), failed: item.status === "failed" };
}

/** How a call is begun in an answer. */
interface OwnCall {
  readonly prefix: string;
  readonly item: (id: string, callId: string) => Fields;
  /** Whether clients are told that it begins when it is there as a whole only: they check what is to be done. */
  readonly late: boolean;
}

/** The call of a function as the item of a tool that the client has, or of a search of its own: undefined where it is a function. */
export function ownCall(name: string, asked: Wire | undefined): OwnCall | undefined {
  if (name === searchName && hasClientSearch(asked)) return { prefix: "tsc", item: searchItem, late: false };
  const tool = tools.get(name);
  const written = asked?.tools;
  if (!tool || !Array.isArray(written) || !written.some((one) => asClientFunction(one)?.name === name))
    return undefined;
  if (written.some((one) => isRecord(one) && one.name === name)) return undefined;
  const type = callType(name);
  return {
    prefix: tool.prefix,
    item: (id, callId) => ({ type, id, call_id: callId, status: "in_progress" }),
    late: true,
  };
}

/**
 * Puts what was asked for into its own place, once it is there as a whole. A call that does not say what is to be done stays that of
 * a function: a client can say so to the model.
 */
export function finishOwnCall(item: Fields): void {
  const { type, id, arguments: text } = item;
  if (type === "tool_search_call") item.arguments = jsonOr(String(text), text);
  const known = itemTypes.get(type);
  if (!known?.isCall || typeof text !== "string") return;
  const { name, tool } = known;
  const given = jsonOr(text, undefined);
  const read = isRecord(given) ? tool.read(given) : undefined;
  if (!read)
    return void Object.assign(item, { type: "function_call", id: String(id).replace(tool.prefix, "fc"), name });
  delete item.arguments;
  Object.assign(item, read);
}
