import type { ServerResponse } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { besideFirst, definePlugin, Routing, z } from "../../core/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";
import { deferred, startRawUpstream } from "../support/raw-upstream.ts";
import { json } from "../support/upstream.ts";

it("a strategy whose rival fails to begin fails in that lane only", async () => {
  const tried = deferred<void>();
  const trying = definePlugin({
    name: "strategy-trying",
    summary: "Has a rival that cannot be asked.",
    options: z.strictObject({}),
    needs: [Routing],
    setup({ service }) {
      const route = () => {
        tried.resolve();
        throw new Error("nobody is there");
      };
      service(Routing).strategy({
        mode: "trying",
        schema: z.object({}),
        compile:
          (_, [first]) =>
          (walk) => {
            if (!first) throw new Error("a target is needed");
            return besideFirst(first.route(walk), [{ kind: "rival", afterMs: 1, route }]);
          },
      });
    },
  });
  const answer = async (response: ServerResponse) => {
    await tried.promise;
    const choices = [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }];
    json(response, 200, { id: "c", object: "chat.completion", created: 1, model: "m", choices });
  };
  const vendor = await startRawUpstream((_, response) => void answer(response));
  const gateway = await startGateway({
    plugins: [trying],
    config: {
      plugins: { "auth-open": {}, routing: {}, "format-openai-chat": {}, "strategy-trying": {} },
      providers: { acme: { use: "openai", apiKey: "acme-key-0123", baseUrl: vendor } },
    },
  });
  onTestFinished(gateway.close);
  const config = { strategy: { mode: "trying" }, targets: [{ provider: "@acme" }] };
  const response = await gateway.fetch("/v1/chat/completions", {
    json: { model: "m", messages: [{ role: "user", content: "Hello" }] },
    headers: { "x-gateway-config": JSON.stringify(config) },
  });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"Hi"')]);
  const [settled] = await gateway.settled();
  expect(settled?.attempts.map(({ outcome }) => outcome?.status)).toEqual([200]);
  const told = gateway.log.lines.find(({ message }) => message === "a lane failed");
  expect(told?.fields).toMatchObject({ error: { message: "nobody is there" } });
});
