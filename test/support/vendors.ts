import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import { startFreeGateway, type TestGateway } from "./gateway.ts";
import { type Recorder, startRecorder } from "./recorder.ts";

/** A vendor that speaks both chat formats below `/v1`, with a recorder before it. */
export interface Vendor {
  readonly recorder: Recorder;
  close(): Promise<void>;
}

export const vendorNames = ["simulator", "aimock"] as const;
export type VendorName = (typeof vendorNames)[number];

export const startVendor = (name: VendorName): Promise<Vendor> =>
  name === "simulator" ? startSimulator() : startAimock();

/** The simulator, made reachable by a gateway of its own: what it says really travels over HTTP. */
async function startSimulator(): Promise<Vendor> {
  const gateway = await startFreeGateway(`
server: { keepAliveComments: 0 }
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  format-openai-responses: {}
  format-openai-completions: {}
  format-openai-embeddings: {}
  format-anthropic-messages: {}
  format-gemini: {}
  format-cohere-chat: {}
  format-bedrock-converse: {}
  format-rerank: {}
  proxy: {}
providers:
  simulator: {}
`);
  const recorder = await startRecorder(gateway.url);
  return {
    recorder,
    async close() {
      recorder.close();
      await gateway.shutdown(0, 0);
    },
  };
}

/** A gateway before a simulated vendor of each of these chat formats, which is named as its format is. Whoever starts it shuts it down. */
export const startBeforeVendors = (formats: readonly string[]): Promise<TestGateway> =>
  startFreeGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: {},
        ...Object.fromEntries(formats.map((format) => [`format-${format}`, {}])),
      },
      providers: Object.fromEntries(formats.map((format) => [format, { use: "simulator", formats: [format] }])),
    }),
  );

/** A mock made by others, which answers questions the way the simulator does, so that one test fits both. */
async function startAimock(): Promise<Vendor> {
  const mock = new LLMock({ port: 0 });
  mock.onEmbedding(/./, { embedding: [0.25, -0.5, 0.125] });
  mock.on({ predicate: () => true }, answerTo);
  await mock.start();
  const recorder = await startRecorder(mock.url);
  return {
    recorder,
    async close() {
      recorder.close();
      await mock.stop();
    },
  };
}

const places = [{ city: "Oslo" }, { city: "Rome" }];

const usage = { prompt_tokens: 12, completion_tokens: 7, input_tokens: 12, output_tokens: 7 };

function answerTo({ model, messages, tools }: ChatCompletionRequest) {
  const failure = /^fault-status-(\d+)$/.exec(model);
  if (failure)
    return { error: { message: `Simulated failure with status ${failure[1]}.` }, status: Number(failure[1]) };
  const said = textOf(messages.findLast(({ role }) => role === "user")?.content);
  const result = messages.findLast(({ role }) => role === "tool");
  if (result) return { content: `The tool said: ${textOf(result.content)}`, usage };
  if (tools?.length && said.includes("get_weather")) {
    const asked = said.includes("twice") ? places : places.slice(0, 1);
    const toolCalls = asked.map((place, at) => ({
      id: `call_${at}`,
      name: "get_weather",
      arguments: JSON.stringify(place),
    }));
    return { toolCalls, usage };
  }
  return { content: `Simulated answer from ${model}: ${said}`, usage };
}

const textOf = (content: ChatCompletionRequest["messages"][number]["content"] | undefined): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("");
