import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fits } from "./fits.ts";
import { lenientNumber, lenientText, lenientWord } from "./lenient.ts";

const text = z.string().nullish();

const schemas: Readonly<Record<string, z.ZodType>> = {
  text,
  "a flag": z.boolean().optional(),
  "a number": z.number(),
  "an integer": z.int().nonnegative().nullable(),
  "one of some": z.enum(["a", "b"]),
  "one of them": z.literal(["a", 1]),
  "a list that is not empty": z.array(z.unknown()).min(1),
  "a list of texts": z.array(z.string()),
  "text or a list": z.union([z.string(), z.array(z.unknown())]),
  "an object of anything": z.record(z.string(), z.unknown()),
  "an object of numbers": z.record(z.string(), z.number()),
  "an object of objects": z.record(z.string(), z.looseObject({ a: text })),
  "an object": z.looseObject({ a: text, b: z.looseObject({ a: z.string() }).nullish(), c: z.unknown().optional() }),
  "an object with what must be there": z.looseObject({ a: z.unknown(), b: z.array(z.looseObject({ a: text })) }),
  "a lenient object": z.looseObject({ a: lenientText, b: lenientNumber, c: lenientWord }),
};

const itself = z.looseObject({
  a: text,
  get b(): z.ZodOptional<z.ZodType> {
    return z.optional(itself);
  },
});

/** Schemas that have more to say about some value than whether it is right. */
const others: Readonly<Record<string, z.ZodType>> = {
  "a default": z.looseObject({ a: z.string().default("b") }),
  "an object that keeps only what it knows": z.object({ a: text }),
  "an object that knows all": z.strictObject({ a: text }),
  "a transformation": z.string().transform((value) => value.length),
  "a text of a form": z.url(),
  "a text of a length": z.string().min(1),
  "a number of a text": z.coerce.number(),
  "a number from above": z.number().gt(1),
  "a number in steps": z.number().multipleOf(2),
  "a list with an end": z.array(z.string()).max(1),
  "a rule of its own": z.looseObject({ a: text }).refine(({ a }) => a !== "b"),
  "a rule for one of several": z
    .union([z.string(), z.number()])
    .refine((value) => value !== "a" && value !== 1 && value !== 2),
  "a rule for what may be absent": z
    .string()
    .nullish()
    .refine((value) => value !== "a"),
  "an object within itself": itself,
  "a date": z.date(),
};

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, "a", "b", "", true, 0, 1, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.record({ a: tie("value"), b: tie("value"), c: tie("value"), d: tie("value") }, { requiredKeys: [] }),
  ),
}));

describe("a value fits a schema", () => {
  it.each(Object.entries({ ...schemas, ...others }))("only where the schema leaves it as it is: %s", (_, schema) => {
    fc.assert(
      fc.property(values, (value) => {
        if (!fits(schema, value)) return;
        const { success, data } = schema.safeParse(value);
        expect(success).toBe(true);
        expect(data).toEqual(value);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(Object.entries(schemas))("wherever the schema leaves it as it is: %s", (_, schema) => {
    fc.assert(
      fc.property(values, (value) => {
        const { success, data } = schema.safeParse(value);
        if (!success) expect(fits(schema, value)).toBe(false);
        else if (!fits(schema, value)) expect(data).not.toEqual(value);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(Object.entries(others))("never where only the schema can tell: %s", (_, schema) => {
    for (const value of ["", "a", 1, 2, { a: "b" }, {}, [], new Date(0)]) expect(fits(schema, value)).toBe(false);
  });
});
