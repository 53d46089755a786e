import { expect, it } from "vitest";
import { startTestGateway } from "../../test/support/gateway.ts";

const config = (webhook: object) => JSON.stringify({ plugins: { notifications: { webhooks: [webhook] } } });
const fromEnvironment = config({ url: "${NOTIFY_WEBHOOK_URL:-}", secret: "${NOTIFY_WEBHOOK_SECRET:-}" });
const url = "https://hooks.example.org/in";

it.each<[string, string, Record<string, string>]>([
  ["variables that are not set", fromEnvironment, {}],
  ["variables that are", fromEnvironment, { NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: "a-secret-of-a-hook" }],
  ["chosen events", config({ url, secret: "a-secret-of-a-hook", events: ["limit.exhausted"] }), {}],
])("starts with %s", async (_, text, variables) => {
  await startTestGateway(text, variables);
});

it.each<[string, string, Record<string, string>, RegExp]>([
  ["a URL without a secret", fromEnvironment, { NOTIFY_WEBHOOK_URL: url }, /webhooks\[0\]: has a url, and no secret/],
  ["a URL of another kind", config({ url: "ftp://hooks.example.org", secret: "a-secret-of-a-hook" }), {}, /url/],
  ["an event there is not", config({ url, secret: "a-secret-of-a-hook", events: ["key.lost"] }), {}, /events/],
])("does not start with %s", async (_, text, variables, message) => {
  await expect(startTestGateway(text, variables)).rejects.toThrow(message);
});
