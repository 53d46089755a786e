import type OpenAI from "openai";
import { openAiClient } from "../clients.ts";
import { meant, png, type Said, type Sdk, statusIn, type Turn, tool } from "./talk.ts";

const endings = { stop: "stop", length: "length", tool_calls: "calls" };
const url = `data:image/png;base64,${png}`;

/** Chat completions. */
export const openAiChat = (gateway: string): Sdk => ({
  talk(model) {
    const { completions } = openAiClient({ url: gateway }).chat;
    const messages: OpenAI.ChatCompletionMessageParam[] = [];
    const { name, description, schema: parameters } = tool;
    const tools: OpenAI.ChatCompletionTool[] = [{ type: "function", function: { name, description, parameters } }];
    let offered = false;
    let calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = [];
    const say = async (most: number | undefined, stream: boolean): Promise<Said> => {
      const request = {
        ...{ model, messages: [...messages], max_completion_tokens: most ?? 200 },
        ...(offered && { tools }),
      };
      const answer = stream
        ? await completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion()
        : await completions.create(request);
      const [choice] = answer.choices;
      if (!choice) throw new Error("nothing was said");
      messages.push(choice.message);
      calls = (choice.message.tool_calls ?? []).filter((call) => call.type === "function");
      return {
        text: choice.message.content ?? "",
        calls: calls.map((call) => ({ name: call.function.name, input: JSON.parse(call.function.arguments) })),
        ending: meant(endings, choice.finish_reason),
        read: answer.usage?.prompt_tokens ?? -1,
        written: answer.usage?.completion_tokens ?? -1,
      };
    };
    return {
      ask({ text, tools: may = false, image = false, most }: Turn, stream) {
        offered = may;
        const shown = { type: "image_url" as const, image_url: { url } };
        messages.push({ role: "user", content: [{ type: "text", text }, ...(image ? [shown] : [])] });
        return say(most, stream);
      },
      answer(content, stream) {
        for (const { id } of calls) messages.push({ role: "tool", tool_call_id: id, content });
        return say(undefined, stream);
      },
    };
  },
  statusOf: statusIn,
});

/** The Responses API, all of the conversation with each request. */
export const openAiResponses = (gateway: string): Sdk => ({
  talk(model) {
    const { responses } = openAiClient({ url: gateway });
    const input: OpenAI.Responses.ResponseInputItem[] = [];
    const { name, description, schema: parameters } = tool;
    const tools: OpenAI.Responses.Tool[] = [{ type: "function", name, description, parameters, strict: false }];
    let offered = false;
    let calls: OpenAI.Responses.ResponseFunctionToolCall[] = [];
    const say = async (most: number | undefined, stream: boolean): Promise<Said> => {
      const request = { model, input: [...input], max_output_tokens: most ?? 200, ...(offered && { tools }) };
      const answer = stream
        ? await responses.stream(request).finalResponse()
        : await responses.create({ ...request, stream: false });
      input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
      calls = answer.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
      const incomplete = answer.incomplete_details?.reason === "max_output_tokens" ? "length" : "cut";
      return {
        text: answer.output_text,
        calls: calls.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) })),
        ending: answer.status === "completed" ? (calls.length > 0 ? "calls" : "stop") : incomplete,
        read: answer.usage?.input_tokens ?? -1,
        written: answer.usage?.output_tokens ?? -1,
      };
    };
    return {
      ask({ text, tools: may = false, image = false, most }: Turn, stream) {
        offered = may;
        const shown = { type: "input_image" as const, image_url: url, detail: "auto" as const };
        input.push({ role: "user", content: [{ type: "input_text", text }, ...(image ? [shown] : [])] });
        return say(most, stream);
      },
      answer(output, stream) {
        for (const { call_id } of calls) input.push({ type: "function_call_output", call_id, output });
        return say(undefined, stream);
      },
    };
  },
  statusOf: statusIn,
});
