import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { Notifications } from "../../core/index.ts";
import { startTestGateway } from "../../test/support/gateway.ts";

const config = (webhook: object) => JSON.stringify({ plugins: { notifications: { webhooks: [webhook] } } });
const fromEnvironment = config({ url: "${NOTIFY_WEBHOOK_URL:-}", secret: "${NOTIFY_WEBHOOK_SECRET:-}" });
const url = "https://hooks.example.org/in";

it.each<[string, string, Record<string, string>]>([
  ["variables that are not set", fromEnvironment, {}],
  ["variables that are", fromEnvironment, { NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: "a-secret-of-a-hook" }],
  ["chosen events", config({ url, secret: "a-secret-of-a-hook", events: ["limit.exhausted"] }), {}],
])("starts with %s", async (_, file, variables) => {
  await startTestGateway(file, variables);
});

it.each<[string, string, Record<string, string>, RegExp]>([
  ["a URL without a secret", fromEnvironment, { NOTIFY_WEBHOOK_URL: url }, /webhooks\[0\]: has a url, and no secret/],
  ["a URL of another kind", config({ url: "ftp://hooks.example.org", secret: "a-secret-of-a-hook" }), {}, /url/],
  ["an event there is not", config({ url, secret: "a-secret-of-a-hook", events: ["key.lost"] }), {}, /events/],
])("does not start with %s", async (_, file, variables, message) => {
  await expect(startTestGateway(file, variables)).rejects.toThrow(message);
});

it("hands on what waits to the webhook of the same URL and place, so that it is signed with that one's secret", async () => {
  const signed: boolean[][] = [];
  const secrets = ["the-secret-of-the-first", "the-secret-of-the-second"];
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    const signature = request.headers["x-gateway-signature"];
    signed.push(secrets.map((secret) => createHmac("sha256", secret).update(body).digest("hex") === signature));
    response.writeHead(signed.length === 1 ? 500 : 200).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const webhook = (secret: string | undefined, event: string) => ({
    url: `http://127.0.0.1:${port}/in`,
    secret,
    events: [event],
  });
  const webhooks = [webhook(secrets[0], "limit.exhausted"), webhook(secrets[1], "invite.created")];
  const gateway = await startTestGateway(JSON.stringify({ plugins: { notifications: { webhooks } } }));
  gateway.generation.kernel.offered(Notifications)?.notify({
    event: "limit.exhausted",
    organisation: "an-organisation",
    subject: { kind: "api_key", id: "a-key" },
    data: {},
  });
  await expect.poll(() => signed.length).toBe(1);
  expect(await gateway.reload()).toBe(true);
  await expect
    .poll(() => signed, { timeout: 10_000 })
    .toEqual([
      [true, false],
      [true, false],
    ]);
});
