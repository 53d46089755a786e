import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";

const tools = [{ type: "shell" }, { type: "custom", name: "run", description: "Runs code." }];
const choice = { type: "shell" };
const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "shell", arguments: '{"commands":["ls"]}' };
const told = {
  tools: [
    { type: "function", name: "shell" },
    { type: "function", name: "run" },
  ],
  tool_choice: { type: "function", name: "shell" },
};
const answer = { id: "resp_1", object: "response", status: "completed", model: "m", ...told, output: [call] };
const events = [
  { type: "response.created", response: { ...answer, status: "in_progress", output: [] } },
  { type: "response.output_item.done", output_index: 0, item: call },
  { type: "response.completed", response: answer },
];

it.each([false, true])(
  "xAI is told of tools as functions, and its client of its own tools to the end, streamed: %j",
  async (stream) => {
    const gateway = await startGateway({
      config: {
        plugins: { "auth-open": {}, routing: { default: "x-ai" }, "format-openai-responses": {} },
        providers: { "x-ai": { baseUrl: "${VENDOR}", apiKey: "key-0123456789" } },
      },
      upstreams: { VENDOR: stream ? { events } : { json: answer } },
    });
    onTestFinished(gateway.close);
    const response = await fetch(`${gateway.url}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", input: "Look.", stream, tools, tool_choice: choice }),
    });
    const text = await response.text();
    expect(gateway.upstreams.VENDOR.calls[0]?.json).toMatchObject(told);
    const bodies = stream
      ? [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = ""]) => JSON.parse(data).response ?? [])
      : [JSON.parse(text)];
    for (const body of bodies) expect(body).toMatchObject({ tools, tool_choice: choice });
    expect(bodies.at(-1).output).toMatchObject([{ type: "shell_call", call_id: "c1", action: { commands: ["ls"] } }]);
  },
);
