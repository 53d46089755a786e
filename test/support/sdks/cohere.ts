import type { Cohere } from "cohere-ai";
import { cohereClient } from "../clients.ts";
import { meant, png, type Said, type Sdk, tool } from "./talk.ts";

const endings = { COMPLETE: "stop", MAX_TOKENS: "length", TOOL_CALL: "calls" };

interface Heard {
  readonly message: Omit<Cohere.AssistantMessage, "role">;
  readonly end: { readonly finishReason?: unknown; readonly usage?: Cohere.Usage | undefined } | undefined;
}

/** Cohere's v2 chat. */
export const cohere = (gateway: string): Sdk => ({
  talk(model) {
    const client = cohereClient({ url: gateway });
    const messages: Cohere.ChatMessageV2[] = [];
    const { name, description, schema: parameters } = tool;
    const tools: Cohere.ToolV2[] = [{ type: "function", function: { name, description, parameters } }];
    let offered = false;
    let calls: Cohere.ToolCallV2[] = [];
    const say = async (most: number | undefined, stream: boolean): Promise<Said> => {
      const request = { model, messages: [...messages], maxTokens: most ?? 200, ...(offered && { tools }) };
      const { message, end } = stream ? await heard(await client.chatStream(request)) : await whole(request);
      messages.push({ role: "assistant", ...message });
      calls = message.toolCalls ?? [];
      const content = typeof message.content === "string" ? [] : (message.content ?? []);
      return {
        text: content.map((item) => (item.type === "text" ? item.text : "")).join(""),
        calls: calls.map((call) => ({
          name: call.function?.name ?? "",
          input: JSON.parse(call.function?.arguments ?? ""),
        })),
        ending: meant(endings, end?.finishReason),
        read: end?.usage?.tokens?.inputTokens ?? -1,
        written: end?.usage?.tokens?.outputTokens ?? -1,
      };
    };
    const whole = async (request: Cohere.V2ChatRequest): Promise<Heard> => {
      const { message, ...end } = await client.chat(request);
      const { content, toolCalls, toolPlan } = message;
      return {
        message: {
          ...(content && { content: content as Cohere.AssistantMessageV2ContentOneItem[] }),
          ...(toolCalls && { toolCalls }),
          ...(toolPlan !== undefined && { toolPlan }),
        },
        end,
      };
    };
    return {
      ask({ text, tools: may = false, image = false, most }, stream) {
        offered = may;
        const shown = { type: "image_url" as const, imageUrl: { url: `data:image/png;base64,${png}` } };
        messages.push({ role: "user", content: [{ type: "text", text }, ...(image ? [shown] : [])] });
        return say(most, stream);
      },
      answer(content, stream) {
        for (const { id } of calls) messages.push({ role: "tool", toolCallId: id, content });
        return say(undefined, stream);
      },
    };
  },
  statusOf: (error) => (error as { statusCode?: unknown }).statusCode,
});

/** The events of a stream, put together: the SDK gives no whole message. */
async function heard(events: AsyncIterable<Cohere.V2ChatStreamResponse>): Promise<Heard> {
  const toolCalls: Cohere.ToolCallV2[] = [];
  let text = "";
  let toolPlan = "";
  let end: Heard["end"];
  for await (const event of events) {
    if (event.type === "content-delta") text += event.delta?.message?.content?.text ?? "";
    if (event.type === "tool-plan-delta") toolPlan += event.delta?.message?.toolPlan ?? "";
    const call = "delta" in event && event.type.startsWith("tool-call") ? callIn(event) : undefined;
    if (event.type === "tool-call-start" && call) toolCalls.push({ ...call, function: { ...call.function } });
    const open = toolCalls.at(-1)?.function;
    if (event.type === "tool-call-delta" && open)
      open.arguments = `${open.arguments ?? ""}${call?.function?.arguments ?? ""}`;
    if (event.type === "message-end") end = event.delta;
  }
  const content = text === "" ? {} : { content: [{ type: "text" as const, text }] };
  const called = toolCalls.length === 0 ? {} : { toolCalls, ...(toolPlan !== "" && { toolPlan }) };
  return { message: { ...content, ...called }, end };
}

const callIn = (event: Cohere.V2ChatStreamResponse): Cohere.ToolCallV2 | undefined =>
  event.type === "tool-call-start" || event.type === "tool-call-delta"
    ? (event.delta?.message?.toolCalls as Cohere.ToolCallV2 | undefined)
    : undefined;
