import type { TransformFailure } from "esbuild";
import { errorMessage } from "../../errors/error-message.ts";

/**
 * Where a text stops being JSON, and why: `3:7: Unexpected "}" in JSON`, line and column counted from 1. Undefined for what is
 * JSON. Node's own message says no place for most mistakes.
 */
export async function jsonMistake(text: string): Promise<string | undefined> {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { transform } = await import("esbuild");
    const [first] = await transform(text, { loader: "json", logLevel: "silent" }).then(
      () => [],
      ({ errors = [] }: Partial<TransformFailure>) => errors,
    );
    if (first?.location) {
      const { line, column, lineText } = first.location;
      // Counted in bytes there.
      return `${line}:${Buffer.from(lineText).toString("utf8", 0, column).length + 1}: ${first.text}`;
    }
    return `1:1: ${errorMessage(error)}`;
  }
}
