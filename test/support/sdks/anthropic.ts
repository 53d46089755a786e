import type Anthropic from "@anthropic-ai/sdk";
import { anthropicClient } from "../clients.ts";
import { meant, png, type Said, type Sdk, statusIn, tool } from "./talk.ts";

const endings = { end_turn: "stop", max_tokens: "length", tool_use: "calls" };

/** Anthropic's Messages. */
export const anthropic = (gateway: string): Sdk => ({
  talk(model) {
    const client = anthropicClient({ url: gateway });
    const messages: Anthropic.MessageParam[] = [];
    const tools: Anthropic.Tool[] = [{ name: tool.name, description: tool.description, input_schema: tool.schema }];
    let offered = false;
    let calls: Anthropic.ToolUseBlock[] = [];
    const say = async (most: number | undefined, stream: boolean): Promise<Said> => {
      const request = { model, messages: [...messages], max_tokens: most ?? 200, ...(offered && { tools }) };
      const answer = stream
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
      messages.push({ role: "assistant", content: answer.content as Anthropic.ContentBlockParam[] });
      calls = answer.content.filter((block) => block.type === "tool_use");
      return {
        text: answer.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
        calls: calls.map(({ name, input }) => ({ name, input })),
        ending: meant(endings, answer.stop_reason),
        read: answer.usage.input_tokens,
        written: answer.usage.output_tokens,
      };
    };
    return {
      ask({ text, tools: may = false, image = false, most }, stream) {
        offered = may;
        const source = { type: "base64" as const, media_type: "image/png" as const, data: png };
        const shown = { type: "image" as const, source };
        messages.push({ role: "user", content: [{ type: "text", text }, ...(image ? [shown] : [])] });
        return say(most, stream);
      },
      answer(content, stream) {
        const results = calls.map(({ id }) => ({ type: "tool_result" as const, tool_use_id: id, content }));
        messages.push({ role: "user", content: results });
        return say(undefined, stream);
      },
    };
  },
  statusOf: statusIn,
});
