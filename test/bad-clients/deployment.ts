import { startTestGateway, type TestGateway } from "../support/gateway.ts";

/** A gateway on this machine with the simulator, and with vendors of both formats at a URL of the test. */
export const startGateway = (server = "{}", vendor = "http://127.0.0.1:9", plugins = "{}"): Promise<TestGateway> =>
  startTestGateway(`
server: ${server}
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  format-anthropic-messages: {}
  proxy: {}
${plugins === "{}" ? "" : plugins}
providers:
  simulator: {}
  claude-like: { use: simulator, formats: [anthropic-messages] }
  openai: { apiKey: vendor-key, baseUrl: ${vendor}/v1 }
  anthropic: { apiKey: vendor-key, baseUrl: ${vendor}/v1 }
`);
