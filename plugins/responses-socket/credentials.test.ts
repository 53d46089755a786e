import { describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../../test/support/calm.ts";
import { losses, startWithKey } from "../../test/support/lost-keys.ts";
import { startUpstream } from "../../test/support/upstream.ts";
import { answers, dial } from "./testing.ts";

const period = 30_000;

async function open(answering = answers) {
  onTestFinished(() => void vi.useRealTimers());
  const vendor = await startUpstream(answering);
  const lost = await startWithKey(
    {
      ...{ routing: { default: "oai" }, "format-openai-chat": {}, "format-openai-responses": {} },
      "responses-socket": {},
    },
    { oai: { use: "fireworks-ai", apiKey: "sk-of-the-vendor", baseUrl: vendor.url } },
  );
  const client = await dial(lost.management.gateway, { "x-gateway-api-key": lost.key });
  return { vendor, lost, client };
}

describe("a socket whose key is lost", () => {
  it.each(losses)("is closed with 1008 though nothing is asked on it: %s", async (_, lose, error) => {
    const { lost, client } = await open();
    vi.advanceTimersByTime(period);
    client.ask("One");
    expect((await client.answer()).at(-1)).toMatchObject({ type: "response.completed" });
    await lose(lost);
    vi.advanceTimersByTime(period);
    expect(await client.event()).toMatchObject({ type: "error", error });
    expect(await client.closed).toMatchObject({ code: 1008, reason: expect.stringMatching(/./) });
  });

  it("ends its turn, and is answered no other", async () => {
    const held: (() => void)[] = [];
    const { lost, client } = await open((request, response, body) => {
      held.push(() => answers(request, response, body));
    });
    client.ask("One");
    await eventually(() => expect(held).toHaveLength(1));
    await lost.management.admin("DELETE", `/api-keys/${lost.id}`);
    vi.advanceTimersByTime(period);
    client.ask("Two", { stream_id: "b" });
    expect(await client.event()).toMatchObject({ type: "error", status: 401, stream_id: "b" });
    held[0]?.();
    expect((await client.answer()).at(-1)).toMatchObject({ type: "response.completed" });
    expect(await client.answer()).toMatchObject([{ type: "error", status: 401 }]);
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(held).toHaveLength(1);
  });
});
