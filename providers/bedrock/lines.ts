import {
  batchLine,
  type Fields,
  inLine,
  isRecord,
  jsonLines,
  type OperationInput,
  refuse,
  type Vendor,
} from "../../core/provider-kit/index.ts";
import { invocation, invokePath, isClaude } from "./claude.ts";
import { converse } from "./converse.ts";
import { familyOf } from "./prompt-families.ts";

type Wire = Readonly<Fields>;

/**
 * How chat is said in lines: Claude's in its own format, as an invocation takes it; that of models which are not invoked
 * with a prompt, by Converse.
 */
export const lineFormats: readonly OperationInput[] = [
  {
    format: "anthropic-messages",
    serves: isClaude,
    path: invokePath,
    // In the body they stay.
    bodyHeaders: {},
    defaults: { anthropic_version: "bedrock-2023-05-31" },
    drops: ["context_management"],
    rewrite: { when: ["{"], apply: invocation },
  },
  converse(),
];

const chat = "/v1/chat/completions";

export const isEmbedding = (model: string): boolean => /embed/.test(model);

/** What the lines of a model ask, where nobody says it: this vendor keeps it nowhere. */
export const endpointOf = (model: string): string => (isEmbedding(model) ? "/v1/embeddings" : chat);

/** Whether the lines of a model are written for Converse: a job has to be told. */
export const isConversed = (model: string): boolean => !isEmbedding(model) && !isClaude(model) && !familyOf(model);

/** Lines of a batch as this vendor takes them: `{recordId, modelInput}` (providers.md section 9.9). */
export async function* batchRows(bytes: AsyncIterable<Buffer>, model: string, vendor: Vendor): AsyncGenerator<Wire> {
  const family = familyOf(model);
  for await (const line of jsonLines(bytes)) {
    const { number, customId, endpoint, body } = batchLine(line);
    yield inLine(number, () => ({
      recordId: customId,
      modelInput:
        family && endpoint === chat
          ? family.encode(body, (name) => vendor.report(name))
          : vendor.encodeLine({ endpoint, model, body }).wire,
    }));
  }
}

/** Examples to learn from: conversations, or a prompt and what follows it. */
export async function* tuningRows(bytes: AsyncIterable<Buffer>, type: "chat" | "text"): AsyncGenerator<Wire> {
  for await (const { number, wire } of jsonLines(bytes)) yield inLine(number, () => exampleOf(wire, type));
}

interface Turn {
  readonly role: string;
  readonly content: string;
}

function exampleOf({ messages }: Wire, type: "chat" | "text"): Wire {
  const turns: readonly unknown[] = Array.isArray(messages) ? messages : refuse("messages", "a list", messages);
  const said = turns.map(turnAt);
  const system = said.filter(({ role }) => role === "system").map(({ content }) => content);
  const rest = said.filter(({ role }) => role !== "system");
  if (type === "chat") return { ...(system.length > 0 && { system: system.join("\n") }), messages: rest };
  const last = rest.at(-1);
  if (last?.role !== "assistant") return refuse("messages", "a list that ends with the assistant's answer", messages);
  const prompt = [...system, ...rest.slice(0, -1).map(({ content }) => content)].join("\n");
  return { prompt, completion: last.content };
}

function turnAt(value: unknown, at: number): Turn {
  const { role, content } = isRecord(value) ? value : {};
  if (typeof role !== "string") return refuse(`messages[${at}].role`, "a string", role);
  if (typeof content !== "string") return refuse(`messages[${at}].content`, "a string", content);
  return { role, content };
}
