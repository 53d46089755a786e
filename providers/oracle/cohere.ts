import {
  callIdOf,
  type Fields,
  isRecord,
  raise,
  readJson,
  recordsIn,
  writeJson,
} from "../../core/provider-kit/index.ts";

type Wire = Readonly<Fields>;
type Report = (dropped: string) => void;

/** Models of this maker are told a chat in its own, older format. */
export const isCohere = (model: unknown): boolean => /^cohere\./i.test(String(model));

function textOf(content: unknown, report: Report | undefined): string {
  if (typeof content === "string") return content;
  return recordsIn(content)
    .map((part) => {
      if (typeof part.text === "string") return part.text;
      report?.(`messages.${String(part.type)}`);
      return "";
    })
    .join("");
}

function argumentsOf(value: unknown): unknown {
  try {
    return readJson(String(value || "{}"));
  } catch {
    return { INVALID_JSON: value };
  }
}

const callOf = ({ function: called }: Wire): Fields => {
  const { name, arguments: given } = isRecord(called) ? called : {};
  return { name, parameters: argumentsOf(given) };
};

/** A result names the call it answers, which is in the history: here calls have no ids. */
function resultOf(messages: readonly Wire[], at: number, report: Report | undefined): Fields {
  const { tool_call_id: id, content } = messages[at] ?? {};
  const calls = messages.slice(0, at).flatMap(({ tool_calls: all }) => recordsIn(all));
  const called = calls.findLast((call) => call.id === id);
  return {
    call: called ? callOf(called) : { name: String(id), parameters: {} },
    outputs: [{ output: textOf(content, report) }],
  };
}

function turnOf(messages: readonly Wire[], at: number, report: Report | undefined): Fields {
  const { role, content, tool_calls: all } = messages[at] ?? {};
  if (role === "tool") return { role: "TOOL", toolResults: [resultOf(messages, at, report)] };
  const calls = recordsIn(all).map(callOf);
  return {
    role: role === "user" ? "USER" : "CHATBOT",
    message: textOf(content, report),
    ...(calls.length > 0 && { toolCalls: calls }),
  };
}

const isInstruction = ({ role }: Wire): boolean => role === "system" || role === "developer";

/** What is said now, what was said before, and what stands above both. */
export function dialogueOf(value: unknown, report?: Report): Fields {
  const all = recordsIn(value);
  const preamble = all.filter(isInstruction).map(({ content }) => textOf(content, report));
  const messages = all.filter((message) => !isInstruction(message));
  const places = [...messages.keys()];
  // Either the user says something now, or the results of the last calls are told.
  const answered = messages.findLastIndex(({ role }) => role !== "tool") + 1;
  const now = answered === messages.length ? answered - 1 : answered;
  const toolResults = places.slice(answered).map((at) => resultOf(messages, at, report));
  return {
    message: toolResults.length > 0 ? "" : textOf(messages[now]?.content, report),
    ...(now > 0 && { chatHistory: places.slice(0, now).map((at) => turnOf(messages, at, report)) }),
    ...(preamble.length > 0 && { preambleOverride: preamble.join("\n") }),
    ...(toolResults.length > 0 && { toolResults }),
  };
}

/** Parameters are named one by one here, with a word for their type. */
export function toolOf({ function: described }: Wire): Fields {
  const { name, description, parameters } = isRecord(described) ? described : {};
  const { properties, required } = isRecord(parameters) ? parameters : {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const definitions = Object.entries(isRecord(properties) ? properties : {}).map(([key, schema]) => {
    const { type, description: about } = isRecord(schema) ? schema : {};
    return [
      key,
      { type: typeof type === "string" ? type : "string", description: about, isRequired: needed.includes(key) },
    ];
  });
  return { name, description: description ?? "", parameterDefinitions: Object.fromEntries(definitions) };
}

const reasons: Readonly<Record<string, string>> = {
  MAX_TOKENS: "length",
  ERROR_LIMIT: "length",
  ERROR_TOXIC: "content_filter",
};

/** Answers that end in one of these are none, whatever of them has come. */
const failed: ReadonlySet<unknown> = new Set(["ERROR", "USER_CANCEL"]);

/** `{text, toolCalls, finishReason}`, whole or as the last frame of a stream, which says the text once more. */
export function choiceOf(wire: Wire, streamed: boolean): Fields {
  const { text, toolCalls, finishReason, errorMessage = "without saying why" } = wire;
  if (failed.has(finishReason)) raise("upstream_invalid", `The vendor failed: ${String(errorMessage)}`);
  const calls = recordsIn(toolCalls).map(({ name, parameters }, index) => {
    const args = writeJson(parameters ?? {});
    const id = callIdOf(name, args, index);
    return { ...(streamed && { index }), id, type: "function", function: { name, arguments: args } };
  });
  const ends = typeof finishReason === "string";
  const said = streamed && ends ? "" : text;
  const message = {
    role: "assistant",
    content: typeof said === "string" ? said : "",
    ...(calls.length > 0 && (ends || !streamed) && { tool_calls: calls }),
  };
  const reason = calls.length > 0 ? "tool_calls" : (reasons[String(finishReason)] ?? "stop");
  return { index: 0, [streamed ? "delta" : "message"]: message, finish_reason: ends || !streamed ? reason : null };
}
