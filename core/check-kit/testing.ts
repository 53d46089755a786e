import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Check, CheckTarget } from "./define-check.ts";

/** One text and what the check is told. */
export interface CheckCase<Parameters extends z.ZodType> {
  readonly parameters: z.input<Parameters>;
  readonly text: string;
  /** Which side of an exchange the text is on; absent is the first one the check is for. */
  readonly target?: CheckTarget;
  /** What `data` has to contain. */
  readonly data?: unknown;
}

export interface CheckTable<Parameters extends z.ZodType> {
  readonly passes: readonly CheckCase<Parameters>[];
  readonly fails: readonly CheckCase<Parameters>[];
}

/** Registers a test for every row: the texts a check lets pass, and those it does not. */
export function tryCheck<Parameters extends z.ZodType>(check: Check<Parameters>, table: CheckTable<Parameters>): void {
  describe(check.id, () => {
    it("has texts that pass and texts that fail", () => {
      expect(table.passes.length).toBeGreaterThan(0);
      expect(table.fails.length).toBeGreaterThan(0);
    });
    it.each(table.passes)("passes $text with $parameters", (row) => judge(check, row, true));
    it.each(table.fails)("fails $text with $parameters", (row) => judge(check, row, false));
  });
}

async function judge<Parameters extends z.ZodType>(
  check: Check<Parameters>,
  { parameters, text, target, data }: CheckCase<Parameters>,
  verdict: boolean,
): Promise<void> {
  const result = await check.run(
    { text, target: target ?? check.targets?.[0] ?? "request" },
    check.parameters.parse(parameters),
  );
  expect(result.verdict).toBe(verdict);
  // What is recorded has to survive being stored.
  if (result.data !== undefined) expect(JSON.parse(JSON.stringify(result.data))).toEqual(result.data);
  if (data !== undefined) expect(result.data).toMatchObject(data as object);
}
