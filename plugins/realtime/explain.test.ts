import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { explain } from "../../core/cli/explain.ts";
import { environmentOf } from "../../core/config/index.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";

it("is explained: where the socket would be opened, and nowhere else", async () => {
  const folder = folderOfFile();
  const file = join(folder, "gateway.json");
  const config = {
    strategy: { mode: "fallback" },
    targets: [{ provider: "@voice", override_params: { model: "gpt-realtime" } }, { provider: "@claude" }],
  };
  const text = {
    plugins: {
      "auth-open": {},
      routing: { configs: { talk: config } },
      "strategy-fallback": {},
      "format-openai-chat": {},
      "format-anthropic-messages": {},
      realtime: {},
    },
    providers: {
      voice: { use: "openai", apiKey: "sk-of-the-vendor", baseUrl: "https://voice.example/v1" },
      claude: { use: "anthropic", apiKey: "sk-of-another" },
    },
  };
  writeFileSync(file, JSON.stringify(text));
  const asked = { method: "GET", path: "/v1/realtime?model=m&intent=x", json: true };
  const told = async (protocols: string) => {
    const options = { ...asked, header: [`sec-websocket-protocol: ${protocols}`] };
    const { out } = await explain(file, options, { environment: environmentOf({}) });
    expect(out).not.toContain("sk-of-the-vendor");
    return JSON.parse(out);
  };
  const explained = await told("realtime, gateway-config.talk");
  expect(explained.request).toMatchObject({ endpoint: "realtime" });
  expect(explained.route.targets).toMatchObject([
    {
      provider: { slug: "voice" },
      model: "gpt-realtime",
      call: { method: "GET", url: "wss://voice.example/v1/realtime?model=gpt-realtime&intent=x" },
    },
  ]);
  const refused = await told("gateway-provider.claude");
  expect(refused.route.targets).toMatchObject([
    { refused: { status: 400, body: { message: "realtime is not supported by anthropic." } } },
  ]);
});
