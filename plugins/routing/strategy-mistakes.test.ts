import { expect, it } from "vitest";
import { definePlugin, Routing, type Strategy, z } from "../../core/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";

const whole: Strategy = {
  mode: "mine",
  schema: z.object({}),
  compile:
    (_, [child]) =>
    (walk) =>
      child?.route(walk) as never,
};

it.each<[object]>([[{ mode: undefined }], [{ schema: undefined }], [{ compile: undefined }]])(
  "a strategy with %o stops the start, and names the plugin that offers it",
  async (more) => {
    const plugin = definePlugin({
      name: "mine",
      summary: "Offers a strategy.",
      options: z.strictObject({}),
      needs: [Routing],
      setup: ({ service }) => service(Routing).strategy({ ...whole, ...more }),
    });
    const config = { plugins: { mine: {}, routing: {} }, providers: {} };
    await expect(startGateway({ plugins: [plugin], config })).rejects.toThrow(
      "[plugin mine] setup: a routing strategy is { mode, schema, compile }",
    );
  },
);
