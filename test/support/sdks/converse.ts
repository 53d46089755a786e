import {
  type ContentBlock,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type Message,
  type TokenUsage,
  type ToolUseBlock,
} from "@aws-sdk/client-bedrock-runtime";
import { bedrockClient } from "../clients.ts";
import { meant, png, type Said, type Sdk, tool } from "./talk.ts";

const endings = { end_turn: "stop", max_tokens: "length", tool_use: "calls" };

interface Heard {
  readonly content: ContentBlock[];
  readonly stopReason: string | undefined;
  readonly usage: TokenUsage | undefined;
}

/** Amazon Bedrock's Converse. */
export const converse = (gateway: string): Sdk => ({
  talk(modelId) {
    const client = bedrockClient({ url: gateway, key: "none" });
    const messages: Message[] = [];
    const { name, description, schema: json } = tool;
    const toolConfig = { tools: [{ toolSpec: { name, description, inputSchema: { json } } }] };
    let offered = false;
    let calls: ToolUseBlock[] = [];
    const say = async (most: number | undefined, stream: boolean): Promise<Said> => {
      const inferenceConfig = { maxTokens: most ?? 200 };
      const request = { modelId, messages: [...messages], inferenceConfig, ...(offered && { toolConfig }) };
      const { content, stopReason, usage } = stream
        ? await heard((await client.send(new ConverseStreamCommand(request))).stream)
        : await client.send(new ConverseCommand(request)).then(({ output, ...beside }) => ({
            content: output?.message?.content ?? [],
            stopReason: beside.stopReason,
            usage: beside.usage,
          }));
      messages.push({ role: "assistant", content });
      calls = content.flatMap(({ toolUse }) => toolUse ?? []);
      return {
        text: content.map(({ text = "" }) => text).join(""),
        calls: calls.map((call) => ({ name: call.name ?? "", input: call.input })),
        ending: meant(endings, stopReason),
        read: usage?.inputTokens ?? -1,
        written: usage?.outputTokens ?? -1,
      };
    };
    return {
      ask({ text, tools = false, image = false, most }, stream) {
        offered = tools;
        const shown: ContentBlock = { image: { format: "png", source: { bytes: Buffer.from(png, "base64") } } };
        messages.push({ role: "user", content: [{ text }, ...(image ? [shown] : [])] });
        return say(most, stream);
      },
      answer(text, stream) {
        const content = calls.map(({ toolUseId }) => ({ toolResult: { toolUseId, content: [{ text }] } }));
        messages.push({ role: "user", content });
        return say(undefined, stream);
      },
    };
  },
  statusOf: (error) => (error as { $metadata?: { httpStatusCode?: unknown } }).$metadata?.httpStatusCode,
});

/** The events of a stream, put together: the SDK gives no whole message. */
async function heard(events: AsyncIterable<ConverseStreamOutput> | undefined): Promise<Heard> {
  const blocks = new Map<number, { text: string; call?: ToolUseBlock }>();
  let stopReason: string | undefined;
  let usage: TokenUsage | undefined;
  const blockAt = (index = 0) => {
    const block = blocks.get(index) ?? { text: "" };
    blocks.set(index, block);
    return block;
  };
  for await (const { contentBlockStart: start, contentBlockDelta: delta, messageStop, metadata } of events ?? []) {
    if (start?.start?.toolUse) blockAt(start.contentBlockIndex).call = { ...start.start.toolUse, input: {} };
    if (delta) blockAt(delta.contentBlockIndex).text += delta.delta?.text ?? delta.delta?.toolUse?.input ?? "";
    if (messageStop) stopReason = messageStop.stopReason;
    if (metadata) usage = metadata.usage;
  }
  const content = [...blocks.values()].map(
    ({ text, call }): ContentBlock => (call ? { toolUse: { ...call, input: JSON.parse(text) } } : { text }),
  );
  return { content, stopReason, usage };
}
