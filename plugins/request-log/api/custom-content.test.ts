import { afterAll, beforeAll, expect, it } from "vitest";
import type { Caller } from "../../../test/support/management.ts";
import { type Recording, startRecording } from "../testing.ts";

let recording: Recording;
let writer: Caller;
beforeAll(async () => {
  recording = await startRecording();
  writer = recording.as({ workspace: recording.workspace.id, scopes: ["completions.write", "logs.write"] });
});
afterAll(() => recording.stop());

/** A request that went elsewhere, as it is shown once it is kept. */
async function inserted(request: object, response: object, more: object = {}, headers: Record<string, string> = {}) {
  const log = { request: { url: "https://api.example/v1", body: {}, ...request }, response, ...more };
  const { body } = await writer("POST", "/logs", log, headers);
  return (await writer("GET", `/logs/${body.ids[0]}`)).body;
}

const usage = { prompt_tokens: 2, total_tokens: 2 };

it.each<[string, object, object]>([
  [
    "OpenAI",
    { data: [{ object: "embedding", index: 0, embedding: [0.1, 0.2] }], model: "e", usage },
    { data: [{ object: "embedding", index: 0, embedding: [] }], model: "e", usage },
  ],
  ["OpenAI in base64", { data: [{ index: 0, embedding: "AAAA" }] }, { data: [{ index: 0, embedding: [] }] }],
  ["Cohere", { embeddings: { float: [[0.1]] }, texts: ["a"] }, { embeddings: { float: [[]] }, texts: ["a"] }],
  ["Gemini", { embedding: { values: [0.1] } }, { embedding: { values: [] } }],
])("keeps embeddings of %s without their vectors", async (_, body, kept) => {
  expect((await inserted({}, { body })).response.body).toEqual(kept);
});

it("keeps lists of numbers of other answers, and of requests", async () => {
  const body = { choices: [{ logprobs: [0.1, 0.2] }] };
  const shown = await inserted({ body: { prompt: [1, 2] } }, { body });
  expect([shown.request.body, shown.response.body]).toEqual([{ prompt: [1, 2] }, body]);
});

it("keeps a digest of headers that the call says are sensitive", async () => {
  const headers = { "X-Patient": "Ana", "X-Plain": "kept" };
  const shown = await inserted({ headers }, { headers, body: {} }, {}, { "x-gateway-sensitive-headers": "x-patient" });
  const digested = { "x-patient": expect.stringMatching(/^sha256:[\da-f]{16}$/), "x-plain": "kept" };
  expect([shown.request.headers, shown.response.headers]).toEqual([digested, digested]);
});

it.each([
  ["its metadata", { user: "ana" }, "ana"],
  ["its body, where metadata says nothing", {}, "bea"],
])("is of the user of %s", async (_, metadata, user) => {
  expect((await inserted({ body: { user: "bea" } }, { body: {} }, { metadata })).metrics._user).toBe(user);
});
