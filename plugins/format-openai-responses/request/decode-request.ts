import {
  type ChatRequest,
  checked,
  compact,
  type Fields,
  fieldsBeyond,
  type Message,
  type Reasoning,
  refuse,
} from "../../../core/index.ts";
import { ownExtra } from "../extra.ts";
import { thinkingSwitch, wireRequest } from "../wire.ts";
import { decodeInput } from "./decode-input.ts";
import { decodeTextFormat, decodeToolChoice, decodeTools } from "./tools.ts";

type WireRequest = ReturnType<typeof wireRequest.parse>;

/** What `include` says to have log probabilities in an answer. */
export const logprobsInclude = "message.output_text.logprobs";

/** Values that ask for nothing an answer without them would not have: no other format loses anything with them. */
const saysNothing: Readonly<Record<string, (value: unknown) => boolean>> = {
  store: (value) => value === false,
  background: (value) => value === false,
  truncation: (value) => value === "disabled",
  stream_options: () => true,
  // Thinking is always given with what is needed to send it back.
  include: (value) => Array.isArray(value) && value.every((one) => one === "reasoning.encrypted_content"),
};

/** Where the input may be absent: it is part of what the vendor has stored. */
const stored = ["previous_response_id", "conversation", "prompt"] as const;

export function decodeRequest(body: unknown): ChatRequest {
  const wire = checked(wireRequest, body, "");
  const unread = compact(fieldsBeyond(wire, wireRequest)) as Fields;
  if (typeof wire.input !== "string" && !wire.input && !stored.some((name) => name in unread))
    refuse("input", "a string or a list of items", wire.input ?? undefined);
  const stream = wire.stream === true;
  const settings = {
    ...decodeText(wire.text, unread),
    ...decodeToolUse(wire, unread),
    ...decodeReasoning(wire, unread),
    ...decodeLogprobs(wire, unread),
  };
  return {
    model: wire.model ?? "",
    messages: [...instructions(wire.instructions, unread), ...decodeInput(wire.input ?? [])],
    stream,
    // Streams of this format always say what they used.
    ...(stream && { includeUsage: true }),
    ...compact({
      maxTokens: wire.max_output_tokens,
      temperature: wire.temperature,
      topP: wire.top_p,
      user: wire.user,
      serviceTier: wire.service_tier,
    }),
    ...settings,
    ...sorted(unread),
  };
}

function sorted(unread: Readonly<Fields>) {
  const entries = Object.entries(unread);
  const isKept = ([name, value]: [string, unknown]) => saysNothing[name]?.(value) === true;
  const fields = Object.fromEntries(entries.filter((entry) => !isKept(entry)));
  return ownExtra(fields, { kept: Object.fromEntries(entries.filter(isKept)) });
}

/** Instructions are a text; where a vendor gives a list of items back, it stays what it is. */
function instructions(wire: WireRequest["instructions"], unread: Fields): Message[] {
  if (Array.isArray(wire)) unread.instructions = wire;
  if (typeof wire !== "string" || wire === "") return [];
  return [{ role: "system", content: [{ type: "text", text: wire }], ...ownExtra({}, { spelling: "instructions" }) }];
}

/** Fields inside another one are kept, and reported when they get lost, as `text.verbosity`. */
const within = (name: string, fields: Readonly<Fields>, unread: Fields): void => {
  for (const [inner, value] of Object.entries(compact(fields))) unread[`${name}.${inner}`] = value;
};

function decodeText(wire: WireRequest["text"], unread: Fields): Pick<ChatRequest, "responseFormat"> {
  if (!wire) return {};
  const { format, ...others } = wire;
  const responseFormat = format === undefined || format === null ? undefined : decodeTextFormat(format);
  within("text", format && !responseFormat ? { ...others, format } : others, unread);
  return compact({ responseFormat });
}

function decodeToolUse(
  { tools, tool_choice: choice, parallel_tool_calls: parallelToolCalls }: WireRequest,
  unread: Fields,
): Pick<ChatRequest, "tools" | "toolChoice" | "parallelToolCalls"> {
  const toolChoice = choice === undefined || choice === null ? undefined : decodeToolChoice(choice);
  if (choice && !toolChoice) unread.tool_choice = choice;
  return compact({ tools: tools && decodeTools(tools, "tools"), toolChoice, parallelToolCalls });
}

const modes: readonly string[] = ["enabled", "disabled", "adaptive"] satisfies Reasoning["mode"][];

function decodeReasoning(wire: WireRequest, unread: Fields): Pick<ChatRequest, "reasoning"> {
  const { effort, ...others } = wire.reasoning ?? {};
  within("reasoning", others, unread);
  const asked: Reasoning = typeof effort === "string" ? { effort } : {};
  // An explicit switch says itself what is shown.
  const shown: Reasoning = typeof others.summary === "string" && !wire.thinking ? { display: "summarized" } : {};
  const reasoning = { ...decodeThinking(wire.thinking, unread), ...asked, ...shown };
  return Object.keys(reasoning).length > 0 ? { reasoning } : {};
}

/** The gateway's own extension: the switch other vendors have for thinking. */
function decodeThinking(wire: WireRequest["thinking"], unread: Fields): Reasoning {
  if (!wire) return {};
  const { type, budget_tokens: budgetTokens, display, ...others } = checked(thinkingSwitch, wire, "thinking");
  if (modes.includes(type) && Object.keys(others).length === 0)
    return { mode: type as NonNullable<Reasoning["mode"]>, ...compact({ budgetTokens, display }) };
  unread.thinking = wire;
  return {};
}

/** Wanting alternatives is wanting log probabilities. */
function decodeLogprobs(
  { include, top_logprobs: topLogprobs }: WireRequest,
  unread: Fields,
): Pick<ChatRequest, "logprobs" | "topLogprobs"> {
  const others = (include ?? []).filter((one) => one !== logprobsInclude);
  if (others.length > 0) unread.include = others;
  const logprobs = include?.includes(logprobsInclude) || (topLogprobs ?? 0) > 0 ? true : undefined;
  return compact({ logprobs, topLogprobs });
}
