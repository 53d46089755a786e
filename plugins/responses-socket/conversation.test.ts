import { expect, it } from "vitest";
import { clientEvent } from "./client-event.ts";
import { askedWith, itemsIn, written } from "./conversation.ts";
import { turnEvents } from "./turn-events.ts";

const id = "1234567890123456789";

it("says numbers that no double holds as its client wrote them", () => {
  const item = `{"type":"tool_search_call","arguments":{"id":${id}}}`;
  const tool = `{"type":"function","name":"f","parameters":{"maximum":9223372036854775807}}`;
  const frame = `{"type":"response.create","model":"m","number":${id},"tools":[${tool}],"input":[${item}]}`;
  const event = clientEvent(Buffer.from(frame), false);
  const body = event.type === "response.create" ? event.body : {};
  const items = written(itemsIn(body.input) ?? []);
  expect(`${askedWith(body, { previous: "r", items })}`).toBe(
    `{"model":"m","number":${id},"tools":[${tool}],"previous_response_id":"r","stream":true,"input":[${item}]}`,
  );
});

it("tells its client such numbers as the vendor wrote them", async () => {
  async function* events() {
    yield `{"type":"response.completed","response":{"id":"r","output":[{"arguments":{"id":${id}}}]}}`;
  }
  const told: string[] = [];
  for await (const event of turnEvents(events(), { previous: "p", ended: () => undefined })) told.push(event);
  expect(told).toEqual([
    `{"type":"response.completed","response":{"id":"r","output":[{"arguments":{"id":${id}}}],"previous_response_id":"p"}}`,
  ]);
});
