import { list, text, type Wire, wire } from "../conformance/conversations/speaker.ts";

/** What a vendor may call, as requests of each format say it. */
export interface Offered {
  /** As a call names it; a tool of a group with `|` behind the group, and a search that is one of the format's own behind nothing. */
  readonly name: string;
  /** Whether the vendor runs it. */
  readonly isHosted?: true;
  /** Whether it takes free text. */
  readonly takesText?: true;
}

const named = (name: unknown): Offered => ({ name: text(name) });

const functions = ({ tools }: Wire): Offered[] =>
  list(tools).map((one) => named(wire(one.function ?? one.custom).name));

/** Tools wait for a search until its result names them. */
function messagesTools({ tools, messages }: Wire): Offered[] {
  const results = list(messages).flatMap(({ content }) => list(content).flatMap((block) => list(block.content)));
  const found = new Set(results.map((one) => one.tool_name));
  return list(tools)
    .filter((one) => one.defer_loading !== true || found.has(one.name))
    .map(({ type = "custom", name }) => ({ ...named(name), ...(type !== "custom" && { isHosted: true as const }) }));
}

const bringing: ReadonlySet<unknown> = new Set(["tool_search_output", "additional_tools"]);

function responsesTools({ tools, input }: Wire): Offered[] {
  const brought = list(input).flatMap((item) => (bringing.has(item.type) ? list(item.tools) : []));
  return [...list(tools), ...brought].flatMap(responsesTool);
}

function responsesTool(tool: Wire): Offered[] {
  if (tool.type === "namespace")
    return list(tool.tools).map(({ name, type }) => ({
      ...named(`${tool.name}|${name}`),
      ...(type === "custom" && { takesText: true }),
    }));
  if (tool.type === "function" || tool.type === "custom") return [named(tool.name)];
  return [tool.type === "tool_search" ? named("|tool_search") : { ...named(tool.type), isHosted: true }];
}

const geminiTools = ({ tools }: Wire): Offered[] =>
  list(tools).flatMap(({ functionDeclarations: all, ...hosted }): Offered[] => [
    ...list(all).map(({ name }) => named(name)),
    ...Object.keys(hosted).map((name) => ({ name, isHosted: true as const })),
  ]);

const converseTools = ({ toolConfig }: Wire): Offered[] =>
  list(wire(toolConfig).tools).flatMap(({ toolSpec }) => (toolSpec ? named(wire(toolSpec).name) : []));

const byFormat: Readonly<Record<string, (request: Wire) => Offered[]>> = {
  "openai-chat": functions,
  "cohere-chat": functions,
  "openai-responses": responsesTools,
  "anthropic-messages": messagesTools,
  gemini: geminiTools,
  "bedrock-converse": converseTools,
};

export const offeredIn = (format: string, request: Wire): Offered[] => byFormat[format]?.(request) ?? [];
