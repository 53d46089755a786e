import {
  type AssistantPart,
  type ChatRequest,
  compact,
  type Fields,
  isRecord,
  type Message,
  ownOpaque,
  type ResponseFormat,
} from "../../../core/index.ts";
import { formatName } from "../extra.ts";
import { decodeTextFormat } from "./tools.ts";

/** The item by which a conversation changes its settings on the way, so that all before it is read from the cache. */
export const updateType = "configuration_update";

/**
 * A request as it is meant where nobody knows such items: "each setting stays in effect until a later update replaces it" (openai 7.59,
 * `ResponseConfigurationUpdateItemParam`), so the last word of each stands above what the request says. An update that says what no other
 * format has words for stays where it is.
 */
export function withUpdates(request: ChatRequest): ChatRequest {
  if (!request.messages.some(hasUpdate)) return request;
  let effort: string | undefined;
  let responseFormat: ResponseFormat | undefined;
  const messages = request.messages.flatMap((message): readonly Message[] => {
    if (message.role !== "assistant" || !hasUpdate(message)) return [message];
    const content = message.content.filter((part) => {
      const update = updateIn(part);
      effort = update?.effort ?? effort;
      responseFormat = update?.responseFormat ?? responseFormat;
      return update === undefined;
    });
    return content.length > 0 ? [{ ...message, content }] : [];
  });
  return {
    ...request,
    messages,
    ...compact({ responseFormat }),
    ...(effort !== undefined && { reasoning: { ...request.reasoning, effort } }),
  };
}

interface Update {
  readonly effort?: string;
  readonly responseFormat?: ResponseFormat;
}

const hasUpdate = (message: Message): boolean => message.role === "assistant" && message.content.some(isUpdate);

const isUpdate = (part: AssistantPart): boolean => ownOpaque(part, formatName)?.type === updateType;

/** Undefined for what is no update, and for one of which something would be lost. */
function updateIn(part: AssistantPart): Update | undefined {
  const item = ownOpaque(part, formatName);
  if (item?.type !== updateType) return undefined;
  const { type: _, id: __, reasoning, text, ...others } = inside(item);
  const { effort, ...moreReasoning } = inside(reasoning);
  const { format, ...moreText } = inside(text);
  const responseFormat = isRecord(format) ? decodeTextFormat(format) : undefined;
  const beyond = { ...others, ...moreReasoning, ...moreText, ...(responseFormat ? {} : compact({ format })) };
  if (Object.keys(beyond).length > 0) return undefined;
  return compact({ effort: typeof effort === "string" ? effort : undefined, responseFormat });
}

const inside = (value: unknown): Fields => (isRecord(value) ? (compact(value) as Fields) : {});
