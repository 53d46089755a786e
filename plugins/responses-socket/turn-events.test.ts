import { expect, it } from "vitest";
import { turnEvents } from "./turn-events.ts";

const at = (type: string, more: object = {}) =>
  JSON.stringify({ type: `response.${type}`, response: { id: "r", ...more } });
const delta = JSON.stringify({ type: "response.output_text.delta", delta: '{"type":"error"}' });
const error = { type: "error", code: "server_error", message: "No." };

async function read(events: readonly string[], previous?: string) {
  const kept: unknown[] = [];
  const all: unknown[] = [];
  const ended = (response: unknown) => void kept.push(response);
  for await (const event of turnEvents(from(events), { previous, ended })) all.push(JSON.parse(event));
  return { all, kept };
}

async function* from(events: readonly string[]) {
  yield* events;
}

it.each<[string, readonly unknown[], readonly unknown[]]>([
  ["complete", [at("created"), delta, at("completed")], [at("created"), delta, at("completed")]],
  ["incomplete", [delta, at("incomplete")], [delta, at("incomplete")]],
  ["failed", [delta, at("failed")], [delta, at("failed")]],
  ["failed, as is said twice", [delta, { ...error }, at("failed")], [delta, at("failed")]],
  ["an error", [at("created"), delta, error], [at("created"), delta, { ...error, status: 502 }]],
  ["an error with a status", [delta, { ...error, status: 429 }], [delta, { ...error, status: 429 }]],
])("ends once: %s", async (_, events, wanted) => {
  const texts = (all: readonly unknown[]) => all.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const { all, kept } = await read(texts(events));
  expect(all).toEqual(texts(wanted).map((one) => JSON.parse(one)));
  expect(kept).toHaveLength(/"response\.(?:completed|incomplete)"/.test(texts(events).join()) ? 1 : 0);
});

it("fails where nothing says how it ended", () =>
  expect(read([at("created"), delta])).rejects.toMatchObject({ code: "upstream_truncated" }));

it("says what was gone on from wherever it tells of the response", async () => {
  const { all } = await read([at("created", { previous_response_id: null }), delta, at("completed")], "resp_1");
  const response = { id: "r", previous_response_id: "resp_1" };
  expect(all).toMatchObject([{ response }, { type: "response.output_text.delta" }, { response }]);
});
