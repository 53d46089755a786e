import {
  type AssistantPart,
  type ChatResponse,
  CheckError,
  type CheckSubject,
  defineCheck,
  type Message,
  z,
} from "../../../../core/index.ts";
import { chatOf } from "../../partners/conversation.ts";
import { credentials, failed, mode, passed, qualified, url } from "../../partners/qualifire.ts";

function argumentsOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

type Part = Message["content"][number];

const textIn = (part: Part): string => {
  if (part.type === "text") return part.text;
  return part.type === "tool-result" ? part.content.map(textIn).join("\n") : "";
};

function messageOf(role: string, content: readonly Part[]) {
  const calls = content
    .filter((part) => part.type === "tool-call")
    .map(({ id, name, arguments: json }) => ({ id, name, arguments: argumentsOf(json) }));
  const text = content
    .map(textIn)
    .filter((one) => one !== "")
    .join("\n");
  return { role, content: text, ...(calls.length > 0 && { tool_calls: calls }) };
}

function askedOf(subject: CheckSubject | undefined) {
  const chat = chatOf(subject);
  const last = chat?.messages.at(-1);
  const response = subject?.response?.body;
  if (!chat || !last || !response || !("choices" in response))
    throw new CheckError("This check looks at the answer to a chat; there is none.");
  const content: readonly AssistantPart[] = (response as ChatResponse).choices[0]?.content ?? [];
  const tools = (chat.tools ?? [])
    .filter((tool) => tool.type === "function")
    .map(({ name, description, parameters }) => ({
      name,
      description: description ?? "",
      parameters: parameters ?? {},
    }));
  return {
    messages: [messageOf(last.role, last.content), messageOf("assistant", content)],
    available_tools: tools,
  };
}

const chat = {
  model: "m",
  stream: false,
  messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Weather in Rome?" }] }],
  tools: [{ type: "function" as const, name: "weather", parameters: { type: "object" } }],
};
const call = { type: "tool-call" as const, id: "c-1", name: "weather", arguments: '{"city":"Rome"}' };
const answered = { choices: [{ index: 0, content: [call], finishReason: "tool-calls" as const }] };
const tried = { text: '{"city":"Rome"}', credentials, subject: { body: chat, response: answered } };

export default defineCheck({
  id: "qualifire.toolUseQuality",
  summary: "Passes answers that call the right tools in the right way, as Qualifire judges it.",
  parameters: z.object({ mode }),
  targets: ["response"],
  run: ({ subject }, { mode }, tools) =>
    qualified(tools, { ...askedOf(subject), tool_selection_quality_check: true, tsq_mode: mode }),
  table: {
    passes: [
      {
        ...tried,
        asks: [
          {
            url,
            headers: { "x-qualifire-api-key": "k" },
            body: {
              messages: [
                { role: "user", content: "Weather in Rome?" },
                {
                  role: "assistant",
                  content: "",
                  tool_calls: [{ id: "c-1", name: "weather", arguments: { city: "Rome" } }],
                },
              ],
              available_tools: [{ name: "weather", description: "", parameters: { type: "object" } }],
              tool_selection_quality_check: true,
              tsq_mode: "balanced",
            },
            answer: passed,
          },
        ],
      },
    ],
    fails: [
      { ...tried, asks: [{ answer: failed }], data: failed.evaluationResults },
      { text: "hello", credentials, error: "there is none" },
      { ...tried, credentials: {}, error: "apiKey" },
      { ...tried, asks: [{ status: 429 }], error: "429" },
    ],
  },
});
