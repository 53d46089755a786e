import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { question } from "../support/raw-client.ts";
import type { Reading } from "./reading.ts";
import type { FormatName } from "./vendor.ts";

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** The text of a plugin in a file of its own, whose taps are these statements. */
const pluginText = (taps: string): string => `
import { definePlugin, GatewayError, Stage, withBody, z } from "${surface}";
export default definePlugin({
  name: "wayward",
  summary: "Does what a test says.",
  options: z.strictObject({}),
  setup({ hooks, log }) {
    ${taps}
  },
});
`;

interface Setting {
  /** Statements that tap \`hooks\`. */
  readonly taps: string;
  readonly vendor?: string;
  readonly server?: string;
}

/** A gateway with a plugin that stands in a file beside the config file. */
export function startWayward({ taps, vendor = "http://127.0.0.1:9", server = "{}" }: Setting): Promise<TestGateway> {
  const folder = temporaryFolder({ "wayward.ts": pluginText(taps) });
  return startTestGateway(
    `
server: ${server}
plugins:
  wayward: { use: ./wayward.ts }
  auth-open: {}
  routing: {}
  format-openai-chat: {}
  format-anthropic-messages: {}
  access-log: {}
providers:
  openai-simulator: { use: simulator, formats: [openai-chat] }
  anthropic-simulator: { use: simulator, formats: [anthropic-messages] }
  openai: { apiKey: vendor-key, baseUrl: ${vendor}/v1 }
  anthropic: { apiKey: vendor-key, baseUrl: ${vendor}/v1 }
`,
    {},
    folder,
  );
}

interface Asked {
  readonly client: FormatName;
  readonly stream?: boolean;
  readonly model?: string;
  readonly more?: object;
}

const paths = { openai: "/v1/chat/completions", anthropic: "/v1/messages" } as const;

export async function ask(gateway: TestGateway, { client, stream = false, model, more }: Asked): Promise<Reading> {
  const response = await fetch(gateway.url + paths[client], {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: question(model ?? "openai-simulator/m", { stream, ...more }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The text of a streamed or whole answer, put together as a client would. */
export function textOf({ text }: Reading): string {
  if (text.startsWith("{")) {
    const { choices, content } = JSON.parse(text);
    return choices ? choices[0].message.content : content[0].text;
  }
  let all = "";
  for (const [, data = ""] of text.matchAll(/^data: (\{.*)$/gm)) {
    const { choices, delta } = JSON.parse(data);
    all += choices?.[0]?.delta?.content ?? delta?.text ?? "";
  }
  return all;
}
