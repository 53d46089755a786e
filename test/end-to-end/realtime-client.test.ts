import { connect } from "node:net";
import { LLMock } from "@copilotkit/aimock";
import { OpenAIRealtimeWebSocket } from "openai/realtime/websocket";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { azureClient, openAiClient } from "../support/clients.ts";
import { gatewayKey, vendorKey } from "../support/deployment.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

async function startMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0 });
  mock.on({ predicate: () => true }, { content: "It is noon." });
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
}

/** The clients always ask for an encrypted socket: here they get the connection in the clear. */
const inTheClear = (port: number) => ({ createConnection: () => connect(port, "127.0.0.1") });
const model = "@voice/gpt-realtime";

/** The same of what browsers have. */
class InTheClear extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url.replace(/^wss/, "ws"), protocols);
  }
}

type Client = OpenAIRealtimeWS | OpenAIRealtimeWebSocket;

it.each<[string, (gateway: TestGateway) => Promise<Client>]>([
  [
    "the OpenAI client",
    async ({ url, port }) =>
      new OpenAIRealtimeWS({ model, options: inTheClear(port) }, openAiClient({ url, key: gatewayKey })),
  ],
  [
    "Azure's",
    ({ url, port }) =>
      OpenAIRealtimeWS.azure(azureClient({ url, key: gatewayKey, deployment: model }), { options: inTheClear(port) }),
  ],
  [
    "Azure's in a browser",
    ({ url }) => {
      vi.stubGlobal("WebSocket", InTheClear);
      onTestFinished(() => void vi.unstubAllGlobals());
      return OpenAIRealtimeWebSocket.azure(azureClient({ url, key: gatewayKey, deployment: model }));
    },
  ],
])("lets %s converse with a provider it names in front of the model", async (_, connected) => {
  const mock = await startMock();
  const gateway = await startTestGateway(
    `
plugins:
  auth-keys: { keys: [{ name: team, key: "\${GATEWAY_KEY}" }] }
  routing: {}
  format-openai-chat: {}
  access-log: {}
  realtime: {}
providers:
  voice: { use: openai, apiKey: "\${VENDOR_KEY}", baseUrl: ${mock.url}/v1 }
`,
    { GATEWAY_KEY: gatewayKey, VENDOR_KEY: vendorKey },
  );
  const realtime = await connected(gateway);
  const happened: string[] = [];
  realtime.on("event", ({ type }) => happened.push(type));
  const answered = new Promise<string>((resolve, reject) => {
    realtime.on("error", reject);
    realtime.on("response.output_text.done", ({ text }) => resolve(text));
  });
  const over = new Promise((resolve) => realtime.on("response.done", resolve));
  await new Promise((resolve) => realtime.on("session.created", resolve));
  realtime.send({ type: "session.update", session: { type: "realtime", output_modalities: ["text"] } });
  const content = [{ type: "input_text", text: "What is the time?" }] as const;
  realtime.send({ type: "conversation.item.create", item: { type: "message", role: "user", content: [...content] } });
  realtime.send({ type: "response.create" });
  expect(await answered).toBe("It is noon.");
  await over;
  const closed = new Promise<number>((resolve) => {
    realtime.socket.onclose = ({ code }: { code: number }) => resolve(code);
  });
  realtime.close({ code: 1000, reason: "bye" });
  expect(await closed).toBe(1000);
  await gateway.shutdown(0, 1_000);
  expect(happened).toContain("session.updated");
  const logged = gateway.log.lines.filter(({ message }) => message === "request").map(({ fields }) => fields);
  expect(logged).toMatchObject([
    { event: "session.created" },
    { event: "session.updated" },
    { event: "response.done", provider: "voice", model: "gpt-realtime", who: "team" },
    { path: "/v1/realtime", status: 101, ending: "complete" },
  ]);
  expect(JSON.stringify(gateway.log.lines)).not.toContain(gatewayKey);
});
