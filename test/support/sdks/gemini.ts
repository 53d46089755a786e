import type { Content, FunctionCall, GenerateContentResponse, Part } from "@google/genai";
import { geminiClient } from "../clients.ts";
import { meant, png, type Said, type Sdk, statusIn, tool } from "./talk.ts";

const endings = { STOP: "stop", MAX_TOKENS: "length" };

/** Google's Gemini API. */
export const gemini = (gateway: string): Sdk => ({
  talk(model) {
    const { models } = geminiClient({ url: gateway });
    const contents: Content[] = [];
    const declared = { name: tool.name, description: tool.description, parametersJsonSchema: tool.schema };
    let offered = false;
    let calls: FunctionCall[] = [];
    const say = async (most: number | undefined, stream: boolean): Promise<Said> => {
      const config = {
        maxOutputTokens: most ?? 200,
        ...(offered && { tools: [{ functionDeclarations: [declared] }] }),
      };
      const request = { model, contents: [...contents], config };
      const frames: GenerateContentResponse[] = [];
      if (stream) for await (const frame of await models.generateContentStream(request)) frames.push(frame);
      else frames.push(await models.generateContent(request));
      const parts = frames.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
      contents.push({ role: "model", parts });
      calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      const usage = frames.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata;
      const reason = frames.findLast(({ candidates }) => candidates?.[0]?.finishReason)?.candidates?.[0]?.finishReason;
      const ending = meant(endings, reason);
      return {
        text: parts.map(({ text, thought }) => (thought ? "" : (text ?? ""))).join(""),
        calls: calls.map(({ name = "", args }) => ({ name, input: args })),
        ending: calls.length > 0 && ending === "stop" ? "calls" : ending,
        read: usage?.promptTokenCount ?? -1,
        written: usage?.candidatesTokenCount ?? -1,
      };
    };
    return {
      ask({ text, tools: may = false, image = false, most }, stream) {
        offered = may;
        const shown: Part = { inlineData: { mimeType: "image/png", data: png } };
        contents.push({ role: "user", parts: [{ text }, ...(image ? [shown] : [])] });
        return say(most, stream);
      },
      answer(output, stream) {
        const parts = calls.map(({ name = "", id }): Part => {
          const response = { name, response: { output }, ...(id !== undefined && { id }) };
          return { functionResponse: response };
        });
        contents.push({ role: "user", parts });
        return say(undefined, stream);
      },
    };
  },
  statusOf: statusIn,
});
