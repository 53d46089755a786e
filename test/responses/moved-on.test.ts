import { describe, expect, it } from "vitest";
import type { Fields } from "../../core/index.ts";
import { Deployment, type World } from "./deployment.ts";

const leaf = (provider: string, model = "answers") => ({ provider: `@${provider}`, override_params: { model } });

/** Makes a response; what came, and what the vendor was sent last. */
async function made(world: World, body: Fields, config: Fields) {
  const sending = { method: "POST", path: "/v1/responses", body: { model: "m", ...body } };
  const { answer, calls } = await world.send(0, config, sending);
  const final = answer.events ? (answer.events.at(-1)?.response as Fields) : answer.body;
  return { ...answer, final, id: String(final?.id), sent: calls.at(-1)?.body as Fields };
}

const start = async () => (await Deployment.start()).world();

/** What was said, by whom, whatever the format. */
const saidIn = ({ input, messages }: Fields) =>
  ((input ?? messages) as Fields[]).map(({ role, type = "message", content }) => [
    role ?? type,
    (Array.isArray(content) ? (content as Fields[]) : [{ text: content }])
      .map(({ text }) => text)
      .filter((text) => text !== undefined)
      .join(),
  ]);

describe("a conversation that a provider without a memory began", () => {
  it.each([false, true])("goes on at one that has its own, and back (streamed: %s)", async (stream) => {
    const world = await start();
    const first = await made(world, { input: "One?", stream }, leaf("claude", "thinks"));
    const second = await made(
      world,
      { input: "Two?", stream, previous_response_id: first.id },
      leaf("native", "thinks"),
    );
    expect(second.status).toBe(200);
    expect(second.sent).not.toHaveProperty("previous_response_id");
    expect(saidIn(second.sent)).toEqual([
      ["user", "One?"],
      ["assistant", "answer 1"],
      ["user", "Two?"],
    ]);
    expect(second.final).toMatchObject({ previous_response_id: first.id, store: true });
    const third = await made(world, { input: "Three?", stream, previous_response_id: second.id }, leaf("native"));
    const last = await made(world, { input: "Four?", stream, previous_response_id: third.id }, leaf("chats"));
    expect(saidIn(last.sent)).toEqual([
      ["user", "One?"],
      ["assistant", "answer 1"],
      ["user", "Two?"],
      ["assistant", "answer 2"],
      ["user", "Three?"],
      ["assistant", "answer 3"],
      ["user", "Four?"],
    ]);
  });

  it("goes on at one that has its own by references to what was said", async () => {
    const world = await start();
    const { body } = await made(world, { input: "One?" }, leaf("claude", "thinks"));
    const references = (body.output as Fields[]).map(({ id }) => ({ type: "item_reference", id }));
    const asked = await made(world, { input: [...references, { role: "user", content: "Two?" }] }, leaf("native"));
    expect(saidIn(asked.sent)).toEqual([
      ["assistant", "answer 1"],
      ["user", "Two?"],
    ]);
    // Its id is its vendor's, who keeps it.
    expect(asked.final).toMatchObject({ id: expect.stringContaining("resp_of_vendor") });
  });

  it("is its vendor's where that is to work in the background, or where nothing is to be kept", async () => {
    const world = await start();
    const { id } = await made(world, { input: "One?" }, leaf("claude"));
    for (const more of [{ background: true }, { store: false }]) {
      const asked = await made(world, { input: "Two?", previous_response_id: id, ...more }, leaf("native"));
      expect(asked.sent).toMatchObject(more);
      expect(saidIn(asked.sent)).toHaveLength(3);
      expect(asked.id).toContain("resp_of_vendor");
    }
  });

  it("is gone on from in the middle of a fallback", async () => {
    const world = await start();
    const first = await made(world, { input: "One?" }, leaf("chats"));
    const config = { strategy: { mode: "fallback" }, targets: [leaf("chats", "fails"), leaf("native")] };
    const { status, sent } = await made(world, { input: "Two?", previous_response_id: first.id }, config);
    expect([status, saidIn(sent).length]).toEqual([200, 3]);
  });
});
