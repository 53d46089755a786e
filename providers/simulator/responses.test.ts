import { describe, expect, it } from "vitest";
import { ask, askStream, send, simulator } from "./testing.ts";

const question = { model: "m", input: "How are you?" };

async function call(transport: ReturnType<typeof simulator>, method: string, path: string) {
  const { status, frames } = await send(transport, path, undefined, { method }).over;
  return { status, body: JSON.parse(frames.join("")) };
}

describe("responses that the simulator has made", () => {
  it("are there again, also those of streams, until they are deleted", async () => {
    const transport = simulator();
    for (const body of [question, { ...question, input: "And you?" }]) {
      const whole = await ask("/responses", body);
      if (body === question) await ask("/responses", body, transport);
      const id = String(body === question ? whole.id : await idOfStream(transport, body));
      const again = await call(transport, "GET", `/responses/${id}`);
      expect(again).toEqual({ status: 200, body: { ...whole, id, output: again.body.output } });
      expect(again.body.output[0].content).toEqual((whole.output as typeof again.body.output)[0].content);
      const { body: deleted } = await call(transport, "DELETE", `/v1/responses/${id}`);
      expect(deleted).toEqual({ id, object: "response", deleted: true });
      expect((await call(transport, "GET", `/responses/${id}`)).status).toBe(404);
    }
  });

  it("tell what they were asked with, and cannot be cancelled any more", async () => {
    const transport = simulator();
    const input = [
      { role: "user", content: "a" },
      { type: "function_call_output", call_id: "c", output: "o" },
    ];
    const { id } = await ask("/responses", { ...question, input }, transport);
    const { body } = await call(transport, "GET", `/responses/${id}/input_items?order=asc`);
    expect(body).toMatchObject({
      object: "list",
      data: [{ type: "message", role: "user", content: [{ type: "input_text", text: "a" }] }, input[1]],
      has_more: false,
    });
    const { body: latest } = await call(transport, "GET", `/responses/${id}/input_items?limit=1`);
    expect(latest).toMatchObject({ data: [input[1]], has_more: true });
    expect((await call(transport, "POST", `/responses/${id}/cancel`)).status).toBe(400);
  });

  it("are not kept where the client says so, after a fault, or for ever", async () => {
    const transport = simulator();
    const { id } = await ask("/responses", { ...question, store: false }, transport);
    expect(await call(transport, "GET", `/responses/${id}`)).toMatchObject({
      status: 404,
      body: { error: { message: `Response with id '${id}' not found.` } },
    });
    const { id: first } = await ask("/responses", question, transport);
    for (let at = 0; at < 100; at++) await ask("/responses", { ...question, input: `${at}` }, transport);
    expect((await call(transport, "GET", `/responses/${first}`)).status).toBe(404);
  });
});

/** The id of an answer that came as a stream. */
async function idOfStream(transport: ReturnType<typeof simulator>, body: object): Promise<unknown> {
  const events = await askStream("/responses", body, transport);
  return JSON.parse(events.at(-1)?.data ?? "{}").response.id;
}
