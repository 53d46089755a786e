import { expect, it } from "vitest";
import { startTestGateway } from "../test/support/gateway.ts";

it("is asked for a host where it has none (inference-api.md section 22.4)", async () => {
  const { url } = await startTestGateway(`
plugins:
  auth-open: {}
  routing: {}
  format-openai-chat: {}
providers: {}
`);
  const headers = { "content-type": "application/json", "x-gateway-provider": "passthrough" };
  const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body: '{"model":"m"}' });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { status: "failure", message: expect.stringContaining("x-gateway-custom-host") },
  ]);
});
