import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway } from "../support/gateway.ts";
import { question } from "../support/raw-client.ts";
import { chunk } from "../support/two-vendors.ts";
import { startUpstream } from "../support/upstream.ts";

const at = (path: string) => pathToFileURL(new URL(`../../${path}`, import.meta.url).pathname).href;

/** A format that leaves out what it may, and a provider that speaks it. */
const files = {
  "format-own.ts": `
import { definePlugin, z } from "${at("core/index.ts")}";
import { openAiChat } from "${at("plugins/format-openai-chat/index.ts")}";
export default definePlugin({
  name: "format-own",
  summary: "A chat format of one's own.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    const { readStreamEnd, ...own } = openAiChat;
    format({ ...own, name: "own" });
    endpoint({ type: "own", method: "POST", path: "/v1/own", operation: "chat", format: "own" });
  },
});
`,
  "vendor.ts": `
import { defineProvider } from "${at("core/provider-kit/index.ts")}";
export default defineProvider({
  name: "vendor",
  summary: "A vendor.",
  operations: { chat: { format: "own", path: "/chat" } },
});
`,
};

async function streamOf(body: string): Promise<string> {
  const vendor = await startUpstream((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
  });
  const gateway = await startTestGateway(
    `
plugins:
  auth-open: {}
  routing: { default: vendor }
  format-own: { use: ./format-own.ts }
providers:
  vendor: { use: ./vendor.ts, baseUrl: "${vendor.url}", apiKey: key }
`,
    {},
    temporaryFolder(files),
  );
  const response = await fetch(`${gateway.url}/v1/own`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: question("m", { stream: true }),
  });
  return response.text();
}

it("a stream of a format that cannot tell how one ended is whole where it is", async () => {
  const text = await streamOf(`${chunk({ content: "Hello" })}${chunk({}, "stop")}data: [DONE]\n\n`);
  expect(text).toContain("Hello");
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
});

it("and never shown as whole where it stopped in the middle", async () => {
  const text = await streamOf(chunk({ content: "Hel" }));
  expect(text).toMatch(/Hel.*"error".*upstream_truncated/s);
  expect(text).not.toContain("[DONE]");
});
