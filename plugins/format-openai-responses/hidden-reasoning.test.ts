import { expect, it } from "vitest";
import { openAiResponses } from "./index.ts";

const context = { provider: "p", model: "m", strict: true, now: 0, id: "own", includeUsage: true };

it.each([{}, { status: "completed" }])(
  "reasoning that may not be read keeps the id its proof was given for, where an answer is written anew",
  (status) => {
    const reasoning = { type: "reasoning", id: "rs_9", ...status, summary: [], encrypted_content: "proof" };
    const answer = { id: "resp_1", object: "response", model: "m", status: "completed", output: [reasoning] };
    const read = openAiResponses.decodeResponse(answer);
    expect(openAiResponses.encodeResponse(read, context)).toMatchObject({ output: [reasoning] });
  },
);
