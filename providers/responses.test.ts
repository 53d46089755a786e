import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { moduleLoader } from "../core/config/modules.ts";
import { operationsOf } from "../core/provider-kit/offered-operations.ts";
import type { CommonOptions, ProviderDefinition } from "../core/provider-kit/provider-definition.ts";

const { formats } = await builtInFormats();

/** Who serves the Responses API itself (providers.md sections 3 and 4), and where below the base URL. */
const rows: readonly (readonly [slug: string, path: string])[] = [
  ["openai", "/responses"],
  ["x-ai", "/responses"],
  ["groq", "/responses"],
  ["openrouter", "/v1/responses"],
  ["byteplus", "/responses"],
  ["databricks", "/ai-gateway/mlflow/v1/responses"],
  ["iointelligence", "/responses"],
];

const load = (slug: string) => moduleLoader().provider(slug, ".") as Promise<ProviderDefinition>;
const chatOf = (definition: ProviderDefinition, known = formats) =>
  operationsOf(definition, {} as CommonOptions & Record<string, unknown>, known).chat ?? [];

/** Some models are served in formats of their own besides. */
const forAll = ({ serves }: { readonly serves?: unknown }) => serves === undefined;

describe.each(rows)("%s", (slug, path) => {
  it("is asked for responses as it serves them, and for chat by everybody else", async () => {
    const [first, ...others] = chatOf(await load(slug)).filter(forAll);
    expect(first?.format).toBe("openai-chat");
    expect(others).toMatchObject([{ format: "openai-responses", path }]);
  });

  it("is asked for chat only where the format is not loaded", async () => {
    const fewer = new Map([...formats].filter(([name]) => name !== "openai-responses"));
    expect(
      chatOf(await load(slug), fewer)
        .filter(forAll)
        .map(({ format }) => format),
    ).toEqual(["openai-chat"]);
  });
});
