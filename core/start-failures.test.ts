import { describe, expect, it } from "vitest";
import { z } from "zod";
import { definePlugin } from "./define-plugin.ts";
import { type ResolvedPlugin, startKernel } from "./kernel.ts";
import { silentLogger } from "./log.ts";
import { type OptionMistake, OptionsError } from "./options-error.ts";
import type { Plugin, PluginContext } from "./plugin.ts";
import type { ProviderRegistry } from "./provider-kit/registry.ts";
import { serviceToken } from "./service-token.ts";
import { StartError } from "./start-failures.ts";

const Store = serviceToken<object>("store");
const wrong = (...path: OptionMistake["path"]) => new OptionsError({ path, message: "is wrong" });

type Parts = Partial<Pick<Plugin, "needs" | "uses" | "provides">>;

const plugin = (name: string, setup: (context: PluginContext) => void, parts: Parts = {}): ResolvedPlugin => ({
  name,
  plugin: definePlugin({ name, summary: "A test plugin.", options: z.strictObject({}), ...parts, setup }),
  options: {},
});

const failing = (name: string, error: Error, parts?: Parts) =>
  plugin(
    name,
    () => {
      throw error;
    },
    parts,
  );

const failingReady = (name: string, error: Error, parts?: Parts) =>
  plugin(
    name,
    ({ onReady, provide }) => {
      if (parts?.provides) provide(Store, {});
      onReady(() => {
        throw error;
      });
      onReady(() => {
        throw new Error("is asked again");
      });
    },
    parts,
  );

const start = (...plugins: readonly ResolvedPlugin[]) =>
  startKernel({
    plugins,
    log: silentLogger,
    folder: "/",
    server: { host: "127.0.0.1", port: 0 },
    hookDeadline: 1_000,
    providers: () => ({}) as ProviderRegistry,
  });

const toldBy = async (...plugins: readonly ResolvedPlugin[]): Promise<string[]> => {
  const error: unknown = await start(...plugins).catch((cause: unknown) => cause);
  return error instanceof Error ? error.message.split("\n") : [];
};

describe("a start tells what all plugins find", () => {
  it.each<[string, readonly ResolvedPlugin[], readonly string[]]>([
    [
      "in setup, and does not make ready what lacks others",
      [failing("a", wrong("x")), failing("b", wrong("y", 0)), failingReady("c", wrong("z"))],
      ["[plugin a] x: is wrong", "[plugin b] y[0]: is wrong"],
    ],
    [
      "once all are set up",
      [failingReady("a", wrong("x")), failingReady("b", wrong("y"))],
      ["[plugin a] x: is wrong", "[plugin b] y: is wrong"],
    ],
    [
      "of what leans on options that are wrong only once all are set up",
      [failingReady("a", wrong("x"), { provides: [Store] }), failingReady("b", wrong("y"), { needs: [Store] })],
      ["[plugin a] x: is wrong", "[plugin b] y: is wrong"],
    ],
    [
      "but for what leans on a plugin that could not be set up",
      [
        failing("a", wrong("x"), { provides: [Store] }),
        failing("b", wrong("y"), { needs: [Store] }),
        failing("c", wrong("z"), { uses: [Store] }),
        failing("d", wrong("w")),
      ],
      ["[plugin a] x: is wrong", "[plugin d] w: is wrong"],
    ],
    [
      "until a setup fails for another reason",
      [failing("a", wrong("x")), failing("b", new Error("no disk")), failing("c", wrong("z"))],
      ["[plugin a] x: is wrong", "[plugin b] setup: no disk"],
    ],
    [
      "beside one that cannot be made ready, but for what leans on that",
      [
        failingReady("a", new Error("no disk"), { provides: [Store] }),
        failingReady("b", wrong("y"), { needs: [Store] }),
        failingReady("c", wrong("z")),
      ],
      ["[plugin c] z: is wrong", "[plugin a] start: no disk"],
    ],
  ])("%s", async (_, plugins, lines) => {
    expect(await toldBy(...plugins)).toEqual(lines);
  });

  it("throws a plain failure with nothing beside it as it is", async () => {
    await expect(start(failing("a", new Error("no disk")))).rejects.toMatchObject({
      name: "GatewayError",
      code: "plugin_failed",
      message: "[plugin a] setup: no disk",
    });
    await expect(start(failing("a", wrong()))).rejects.toBeInstanceOf(StartError);
  });
});
