import { type Fields, isRecord, refuse } from "../../core/provider-kit/index.ts";
import { type FamilyAnswer, finishOf, sizes } from "./family-answers.ts";
import { afterHeaders, asInstruction, asLines, type Said, withSystem } from "./prompts.ts";

type Wire = Readonly<Fields>;

/** Models that are invoked with a prompt, and answer with a text (providers.md sections 9.7 and 9.9). */
export interface Family {
  /** A chat request of OpenAI's as what the model is invoked with. `report` takes the names of what it cannot be told. */
  encode(body: Wire, report: (dropped: string) => void): Wire;
  /** What the model answered, as a chat completion; undefined where it is none. */
  decode(wire: Wire): FamilyAnswer | undefined;
}

interface Asked {
  readonly said: readonly Said[];
  readonly maxTokens: unknown;
  readonly temperature: unknown;
  readonly topP: unknown;
  readonly stop: readonly unknown[] | undefined;
}

const read = [
  "model",
  "messages",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "stop",
  "stream",
  "user",
];

function askedIn(body: Wire, report: (dropped: string) => void): Asked {
  const { messages, max_tokens: max, max_completion_tokens: maxCompletion, temperature, top_p: topP, stop } = body;
  if (body.stream === true) refuse("body.stream", "false: a batch is not streamed", true);
  for (const [name, value] of Object.entries(body))
    if (!read.includes(name) && value !== null && value !== undefined) report(name);
  const list: readonly unknown[] = Array.isArray(messages) ? messages : refuse("body.messages", "a list", messages);
  return {
    said: list.map(saidAt),
    maxTokens: maxCompletion ?? max,
    temperature,
    topP,
    stop: stop === undefined || stop === null ? undefined : [stop].flat(),
  };
}

function saidAt(message: unknown, at: number): Said {
  const place = `body.messages[${at}]`;
  const { role, content } = isRecord(message) ? message : {};
  const text = textIn(content) ?? refuse(`${place}.content`, "text: this model takes nothing else", content);
  if (role === "system" || role === "developer") return { role: "system", text };
  if (role === "user" || role === "assistant") return { role, text };
  return refuse(`${place}.role`, "system, user or assistant: this model knows no others", role);
}

/** A text, or texts in parts. */
function textIn(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part) => (isRecord(part) && part.type === "text" ? part.text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("") : undefined;
}

/** Leaves out what nobody said. */
const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

interface Row {
  readonly models: RegExp;
  readonly prompt: (said: readonly Said[]) => string;
  readonly body: (prompt: string, asked: Asked) => Fields;
  readonly answer: Family["decode"];
  /** It knows no texts to stop at. */
  readonly neverStops?: true;
}

const first = (value: unknown): Wire => (Array.isArray(value) && isRecord(value[0]) ? value[0] : {});
const answered = (text: unknown, reason: unknown, usage?: FamilyAnswer["usage"]): FamilyAnswer | undefined =>
  typeof text === "string" ? { text, finish: finishOf(reason), ...(usage && { usage }) } : undefined;

const llama: Pick<Row, "body" | "answer" | "neverStops"> = {
  neverStops: true,
  body: (prompt, { maxTokens, temperature, topP }) =>
    given({ prompt, max_gen_len: maxTokens, temperature, top_p: topP }),
  answer: ({ generation, stop_reason, prompt_token_count, generation_token_count }) =>
    answered(generation, stop_reason, sizes(prompt_token_count, generation_token_count)),
};

const families: readonly Row[] = [
  { models: /meta\.llama2/, prompt: withSystem, ...llama },
  { models: /meta\.llama3/, prompt: afterHeaders, ...llama },
  {
    models: /mistral\.(?:mistral-7b|mixtral-8x7b|mistral-large-2402|mistral-small-2402)/,
    prompt: asInstruction,
    body: (prompt, { maxTokens, temperature, topP, stop }) =>
      given({ prompt, max_tokens: maxTokens, temperature, top_p: topP, stop }),
    answer: ({ outputs }) => answered(first(outputs).text, first(outputs).stop_reason),
  },
  {
    models: /amazon\.titan-text/,
    prompt: asLines("Bot"),
    body: (prompt, { maxTokens, temperature, topP, stop }) => ({
      inputText: prompt,
      textGenerationConfig: given({ temperature, maxTokenCount: maxTokens, topP, stopSequences: stop }),
    }),
    answer: ({ inputTextTokenCount, results }) => {
      const { outputText, completionReason, tokenCount } = first(results);
      return answered(outputText, completionReason, sizes(inputTextTokenCount, tokenCount));
    },
  },
  {
    models: /cohere\.command-(?:light-)?text/,
    prompt: asLines("Assistant"),
    body: (prompt, { maxTokens, temperature, topP, stop }) =>
      given({ prompt, max_tokens: maxTokens, temperature, p: topP, end_sequences: stop }),
    answer: ({ generations }) => answered(first(generations).text, first(generations).finish_reason),
  },
  {
    models: /ai21\.j2/,
    prompt: asLines("Assistant"),
    body: (prompt, { maxTokens, temperature, topP, stop }) =>
      given({ prompt, maxTokens, temperature, topP, stopSequences: stop }),
    answer: ({ completions }) => {
      const { data, finishReason } = first(completions);
      return answered(
        isRecord(data) ? data.text : undefined,
        isRecord(finishReason) ? finishReason.reason : finishReason,
      );
    },
  },
];

/** The family of a model, by its id or its ARN; undefined where it takes conversations. */
export function familyOf(model: string): Family | undefined {
  const row = families.find(({ models }) => models.test(model));
  if (!row) return undefined;
  return {
    encode(body, report) {
      const asked = askedIn(body, report);
      if (asked.stop && row.neverStops) report("stop");
      return row.body(row.prompt(asked.said), asked);
    },
    decode: row.answer,
  };
}
