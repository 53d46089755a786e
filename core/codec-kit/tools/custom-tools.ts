import type { ChatRequest, ChatResponse, CustomTool, FunctionTool } from "../../model/chat.ts";
import type { EncodeContext, Format } from "../../model/format.ts";
import type { GatewayRequest } from "../../model/request.ts";
import type { ToolCallStart } from "../../model/stream.ts";

/**
 * Some formats have tools that take free text. The canonical model has them as functions of one text, marked: formats
 * that know functions only write them without knowing, and those that have them write them as they were.
 */
export const customTool = (name: string, custom: CustomTool): FunctionTool => ({
  type: "function",
  name,
  description: described(custom),
  parameters: {
    type: "object",
    properties: { input: { type: "string", description: "The whole text." } },
    required: ["input"],
    additionalProperties: false,
  },
  custom,
});

const freeText = "It takes free text: the whole text goes into `input`, as it is. The text is not JSON.";

function described({ description, grammar }: CustomTool): string {
  const said = description ? [description, freeText] : [freeText];
  if (grammar) said.push(`The text must match this grammar (${grammar.syntax}):\n\n${grammar.definition}`);
  return said.join("\n\n");
}

/** The arguments of a call of such a tool. */
export const inputArguments = (input: string): string => inputBegin + inputPiece(input) + inputEnd;

/** The same in pieces. */
export const inputBegin = '{"input":"';
export const inputPiece = (text: string): string => JSON.stringify(text).slice(1, -1);
export const inputEnd = '"}';

/** Whether a call in an answer is one of such a tool, or of one the client declared so. */
export const isCustomCall = (
  { name, custom }: Pick<ToolCallStart, "name" | "custom">,
  { customTools }: Pick<EncodeContext, "customTools">,
): boolean => custom ?? customTools?.has(name) ?? false;

/** The names of such tools among those of a request; undefined where there are none. */
export function customToolsOf({ tools = [] }: Pick<ChatRequest, "tools">): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined;
  for (const tool of tools) {
    if (tool.type !== "function" || !tool.custom) continue;
    names ??= new Set();
    names.add(tool.name);
  }
  return names;
}

/**
 * The same of a request as a vendor repeats it, to whom they are functions: they are known by what was said of them. Undefined
 * where it cannot be read, too.
 */
export function customToolsRepeated(format: Pick<Format, "decodeRequest">, wire: Readonly<Record<string, unknown>>) {
  if (!JSON.stringify(wire).includes(freeText)) return undefined;
  try {
    const body: unknown = format.decodeRequest(wire);
    const { tools = [] } = body as Pick<ChatRequest, "tools">;
    const names = tools.flatMap((tool) => (tool.type === "function" && isMade(tool) ? tool.name : []));
    return names.length > 0 ? new Set(names) : undefined;
  } catch {
    return undefined;
  }
}

const isMade = ({ description = "", parameters }: FunctionTool): boolean =>
  description.includes(freeText) && Object.keys(parameters?.properties ?? {}).join() === "input";

/** What a request has in it that brings such tools, in whichever format: others are not read for them. */
const customMark = '"custom"';

/** The same of what a client asks for. A body that cannot be decoded has none. */
export function customToolsIn(request: GatewayRequest | undefined): ReadonlySet<string> | undefined {
  if (!request || request.bytes?.includes(customMark) === false) return undefined;
  try {
    const { body } = request;
    return "tools" in body ? customToolsOf(body) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an answer calls such a tool as the function it was made: somebody wrote it who did not know the request. */
export const callsAsFunction = (
  { choices }: Pick<ChatResponse, "choices">,
  { customTools }: Pick<EncodeContext, "customTools">,
): boolean =>
  customTools !== undefined &&
  choices.some(({ content }) =>
    content.some((part) => part.type === "tool-call" && !part.custom && isCustomCall(part, { customTools })),
  );
