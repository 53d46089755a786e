import { expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { operationsOf } from "../core/provider-kit/bind.ts";
import type { CommonOptions } from "../core/provider-kit/provider-definition.ts";
import minimax from "./minimax.ts";

it("MiniMax is asked for some chance at least, and for no more than it has", async () => {
  const { formats } = await builtInFormats();
  const [chat] = operationsOf(minimax, {} as CommonOptions & Record<string, unknown>, formats).chat ?? [];
  expect(chat?.clamps).toEqual({ temperature: [0.01, 1] });
});
