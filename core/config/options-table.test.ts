import { expect, it } from "vitest";
import { z } from "zod";
import { secret } from "../secrets/secret.ts";
import { describeOptions, optionsTable } from "./options-table.ts";
import { serverSchema } from "./server-settings.ts";
import { rateLimits } from "./testing.ts";

it("is a row per option with type, default and meaning", () => {
  expect(optionsTable(rateLimits.options)).toBe(
    [
      "| option | type | default | meaning |",
      "|---|---|---|---|",
      "| `value` | whole number | required | Requests allowed per window. |",
      '| `unit` | "rpm" or "rph" or "rpd" | `"rpm"` | How long a window is. |',
      "| `dryRun` | true or false | `false` | Only count. |",
      "| `names` | list of text |  | Whom it holds for. |",
      '| `burst` | whole number or "off" |  | How much more is let through. |',
      "| `share` | number |  |  |",
      "| `store` | map |  |  |",
    ].join("\n"),
  );
});

it("says so when there are no options", () => {
  expect(optionsTable(z.strictObject({}))).toBe("It has no options.");
});

it("tells secrets from other text, also where they are optional", () => {
  const schema = z.strictObject({
    key: secret().describe("The key."),
    other: secret().exactOptional(),
    shout: z.string().transform((text) => text.toUpperCase()),
    keys: z.array(secret()).default([]),
  });
  expect(describeOptions(schema).map(({ name, type }) => [name, type])).toEqual([
    ["key", "secret"],
    ["other", "secret"],
    ["shout", "text"],
    ["keys", "list of text"],
  ]);
});

it("shows options inside options after them, with dots", () => {
  const rows = describeOptions(serverSchema);
  expect(rows.find(({ name }) => name === "limits.jsonBodyBytes")).toEqual({
    name: "limits.jsonBodyBytes",
    type: "whole number",
    required: false,
    default: 52_428_800,
    meaning: "Largest JSON body of a request.",
  });
  expect(rows.find(({ name }) => name === "limits")).not.toHaveProperty("default");
});

it("writes maps, URLs and bars so that a table survives them", () => {
  const schema = z.strictObject({
    names: z.record(z.string(), z.int()).default({ a: 1 }).describe("This | that."),
    url: z.url().optional().describe("Two\nlines."),
    any: z.unknown().optional(),
  });
  expect(optionsTable(schema).split("\n").slice(2)).toEqual([
    '| `names` | map of whole number | `{"a":1}` | This \\| that. |',
    "| `url` | URL |  | Two lines. |",
    "| `any` | anything |  |  |",
  ]);
});
