import {
  asReadIn,
  type ChatResponse,
  type EncodeContext,
  type Fields,
  isEmpty,
  isRecord,
  lookUp,
  type Moderated,
  type Usage,
  writeJson,
} from "../../../core/index.ts";
import { moderation as moderated } from "./moderation.ts";
import { encodeUsage } from "./usage.ts";

/** Fields of an answer that repeat the request, with what stands there when the request does not say (section 11.3). */
const defaults = {
  instructions: null,
  max_output_tokens: null,
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
  background: false,
  metadata: {},
  user: null,
} as const;

/** Those of them whose word is the gateway's: it stores nothing, and answers while the client waits. */
const ownWord: ReadonlySet<string> = new Set(["store", "background", "previous_response_id"]);

export const echoed: ReadonlySet<string> = new Set(Object.keys(defaults));

/** Those that vendors may have been told in other words than the client's (`asFunctions`). */
export const aboutTools: ReadonlySet<string> = new Set(["tools", "tool_choice"]);

/** The fields of an answer that repeat the request. */
export function echoOf(asked?: Readonly<Fields>): Fields {
  const echo: Fields = { ...defaults };
  const repeated = repeatedOf(asked);
  return repeated ? Object.assign(echo, repeated) : echo;
}

/** What a request says of them; undefined where that is nothing. */
function repeatedOf(asked: Readonly<Fields> = {}): Fields | undefined {
  let repeated: Fields | undefined;
  for (const name in asked) {
    const said = asked[name];
    const value = lookUp<unknown>(defaults, name);
    if (value === undefined || said === undefined || said === null || ownWord.has(name)) continue;
    repeated ??= {};
    repeated[name] = isRecord(value) && isRecord(said) ? Object.assign({}, value, said) : said;
  }
  return repeated;
}

const member = (name: string, value: unknown): string => `,${JSON.stringify(name)}:${writeJson(value)}`;
const defaultTexts = Object.entries(defaults).map(([name, value]) => [name, member(name, value)] as const);
const allDefaults = defaultTexts.map(([, text]) => text).join("");

/** The same as JSON text, behind other members: mostly that of a request that says nothing of them, which is a third of an answer. */
function echoText(asked: Readonly<Fields> | undefined): string {
  const repeated = repeatedOf(asked);
  if (!repeated) return allDefaults;
  let text = "";
  for (const [name, usual] of defaultTexts) text += name in repeated ? member(name, repeated[name]) : usual;
  return text;
}

/** How the id of a response begins. */
const prefix = "resp_";

/**
 * The id of an answer without its prefix, for its items to be named by. Those of one request may be given numbers that
 * tell them apart, and so are their items; an id of a vendor's own says nothing of whom the items are from.
 */
export const stemOf = (id: string | undefined, context: Pick<EncodeContext, "id">): string =>
  id?.startsWith(prefix + context.id) ? id.slice(prefix.length) : context.id;

/** What an answer says besides its output, in the order of the vendor's documentation. */
export interface Frame {
  readonly head: Pick<ChatResponse, "id" | "model" | "created">;
  readonly context: EncodeContext;
  readonly echo: Readonly<Fields>;
}

export interface State {
  readonly status: string;
  readonly output: readonly Fields[];
  readonly moderation?: Moderated | undefined;
  readonly usage?: Usage | undefined;
  /** What the vendor says of it besides, in this format. */
  readonly moreUsage?: Readonly<Fields> | undefined;
  readonly error?: Fields;
  readonly incomplete?: string | undefined;
  /** Fields of this format that came with the answer: they win. */
  readonly own?: Readonly<Fields>;
}

export function responseObject({ head, context, echo }: Frame, state: State): Fields {
  const { status, output, moderation, own } = state;
  const { id, object, created_at, error, incomplete_details, model } = beginning(head, context, state);
  return {
    id,
    object,
    created_at,
    status,
    error,
    incomplete_details,
    model,
    output,
    ...echo,
    ...(moderation && { moderation: moderated.encode(moderation) }),
    usage: usageIn(state),
    ...own,
  };
}

/** The same as JSON text. */
export function responseText({ head, context }: Omit<Frame, "echo">, state: State): string {
  const { moderation, own = {} } = state;
  // Fields of its own stand in the place of others.
  if (!isEmpty(own))
    return writeJson(asReadIn(head, responseObject({ head, context, echo: echoOf(context.asked) }, state)));
  const first = writeJson(asReadIn(head, beginning(head, context, state))).slice(0, -1) + echoText(context.asked);
  const more = moderation ? member("moderation", moderated.encode(moderation)) : "";
  return `${first}${more}${member("usage", usageIn(state))}}`;
}

const beginning = (
  { id, created, model }: Frame["head"],
  context: EncodeContext,
  { status, output, error, incomplete }: State,
) => ({
  id: id?.startsWith(prefix) ? id : prefix + context.id,
  object: "response",
  created_at: created ?? context.now,
  status,
  error: error ?? null,
  incomplete_details: incomplete === undefined ? null : { reason: incomplete },
  model: model ?? context.model,
  output,
});

function usageIn({ usage, moreUsage }: State): Fields | null {
  const told = usage && encodeUsage(usage);
  return moreUsage ? Object.assign({}, told, moreUsage) : (told ?? null);
}
