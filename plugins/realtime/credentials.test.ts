import { expect, it, onTestFinished, vi } from "vitest";
import { type LostKey, losses, startWithKey } from "../../test/support/lost-keys.ts";
import { connect, type Dialled, type End, startVendor } from "./testing.ts";

const period = 30_000;

async function open(plugins: object = {}) {
  onTestFinished(() => void vi.useRealTimers());
  const vendor = await startVendor();
  const lost = await startWithKey(
    { routing: {}, "format-openai-chat": {}, "access-log": {}, realtime: {}, ...plugins },
    { oai: { use: "openai", apiKey: "sk-of-the-vendor", baseUrl: vendor.url } },
  );
  const { gateway } = lost.management;
  const dialled: Dialled = { headers: {}, protocols: ["realtime", `openai-insecure-api-key.${lost.key}`] };
  const [client, server] = await Promise.all([connect(gateway, dialled), vendor.next()]);
  return { vendor, lost, client, server };
}

const remove = ({ management, id }: LostKey) => management.admin("DELETE", `/api-keys/${id}`);
const begins = (id: string) => ({ type: "response.created", response: { id } });
const ends = (id: string) => ({ type: "response.done", response: { id, status: "cancelled" } });

/** What was said to one side has come to the other. */
async function carried(from: End, to: End, frame: object): Promise<void> {
  from.send(frame);
  expect(await to.event()).toEqual(frame);
}

/** The key is gone, and was looked at, while the answer `r1` is under way. */
async function lostWhileAnswered() {
  const opened = await open();
  const { lost, client, server } = opened;
  await carried(server, client, begins("r1"));
  await remove(lost);
  vi.advanceTimersByTime(period);
  await carried(client, server, { type: "input_audio_buffer.clear" });
  return opened;
}

it.each(losses)("ends a session whose key is %s, within so long, and says why", async (_, lose, error) => {
  const { lost, client, server } = await open();
  vi.advanceTimersByTime(period);
  await carried(client, server, { type: "response.create" });
  await lose(lost);
  vi.advanceTimersByTime(period);
  expect(await client.event()).toMatchObject({ type: "error", event_id: expect.any(String), error });
  expect(await client.closed).toMatchObject({ code: 1008, reason: expect.stringMatching(/./) });
  expect(await server.closed).toMatchObject({ code: 1000 });
});

it("lets the answer under way end, and waits for none that begins later", async () => {
  const { client, server } = await lostWhileAnswered();
  await carried(server, client, begins("r2"));
  await carried(server, client, ends("r1"));
  expect(await client.event()).toMatchObject({ type: "error", error: { code: "invalid_api_key" } });
  expect(await client.closed).toMatchObject({ code: 1008 });
});

it("waits for an answer under way no longer than until the next look", async () => {
  const { client } = await lostWhileAnswered();
  vi.advanceTimersByTime(period);
  expect(await client.event()).toMatchObject({ type: "error", error: { code: "invalid_api_key" } });
  expect(await client.closed).toMatchObject({ code: 1008 });
});

it("looks again when an answer has been counted", async () => {
  const { lost, client, server } = await open();
  await remove(lost);
  const done = { type: "response.done", response: { id: "r1", status: "completed", usage: { input_tokens: 3 } } };
  await carried(server, client, done);
  expect(await client.event()).toMatchObject({ type: "error", error: { code: "invalid_api_key" } });
  expect(await client.closed).toMatchObject({ code: 1008 });
});
