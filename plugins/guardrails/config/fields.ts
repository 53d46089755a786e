import { createHash } from "node:crypto";
import { type ChecksService, type ConfigField, unknownCheck, z } from "../../../core/index.ts";
import {
  type CheckSpec,
  type HookSpec,
  hookFieldNames,
  hookFields,
  hookSpec,
  type NamedGuardrail,
  namedGuardrail,
} from "./hook-spec.ts";
import { checksOfHook, checksUnderNames, checkUnder, misspeltIn, withFamily } from "./written-checks.ts";

/** What a list of a config holds: a kept guardrail, by its slug or with what is said of it, or one written out. */
export type HookEntry = string | NamedGuardrail | HookSpec;

/** Whether a guardrail is written out. */
export const isWritten = (entry: HookEntry): entry is HookSpec => typeof entry !== "string" && !("ref" in entry);

export type Side = "input" | "output";

/** The lists of a side, in the order their guardrails are met; those of one side are inherited together. */
export const listsOf = {
  input: ["before_request_hooks", "input_guardrails", "input_mutators"],
  output: ["after_request_hooks", "output_guardrails", "output_mutators"],
} as const satisfies Record<Side, readonly string[]>;

/** The fields of the config object this plugin owns (routing-config.md section 12.1). */
export const configFields = (checks: Checker): ConfigField[] =>
  (["input", "output"] as const).flatMap((side) => {
    const [hooks, guardrails, mutators] = listsOf[side];
    const field = (name: string, schema: z.ZodType, checksIn: Parameters<typeof misspeltIn>[1]): ConfigField => ({
      name,
      schema,
      misspelt: (value) => misspeltIn(value, checksIn, checks),
      inherit: "nearest",
      together: `${side} guardrails`,
      opaque: true,
    });
    return [
      field(hooks, z.array(rawHook(checks)), checksOfHook),
      field(guardrails, z.array(shorthand(checks, side, "guardrail")), checksUnderNames),
      field(mutators, z.array(shorthand(checks, side, "mutator")), checksUnderNames),
    ];
  });

const rawCheck = z.strictObject({
  id: z.string().min(1),
  name: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  is_enabled: z.boolean().default(true),
});

/** A hook object, with what older clients say of a denial (`message`); one without checks stands for the kept guardrail of its id. */
const rawHook = (checks: Checker) =>
  hookFields
    .extend({ id: z.string().min(1), checks: z.array(rawCheck).optional(), message: z.string().optional() })
    .strict()
    .transform(({ checks: listed, ...given }, context): HookEntry => {
      if (!listed) return namedGuardrail(given.id, given);
      const specs = listed.map(({ id, parameters, is_enabled }) => ({
        id: withFamily(id),
        parameters,
        enabled: is_enabled,
      }));
      for (const [at, spec] of specs.entries()) tell(context, checks, spec, ["checks", at], ["parameters"]);
      return hookSpec(given, given.id, given.type ?? "guardrail", specs);
    });

type Checker = Pick<ChecksService, "all" | "named" | "mistakes" | "misspelt">;

const noCheck = "has no check: write one under its name, or say with id which kept guardrail is meant";

/**
 * A slug, or an object with the fields of a hook and a check under every other key (guardrails.md section 2.3). One without
 * checks stands for the kept guardrail of its id.
 */
const shorthand = (checks: Checker, side: Side, type: HookSpec["type"]) =>
  z.union([z.string().min(1), z.record(z.string(), z.unknown())]).transform((given, context): HookEntry => {
    if (typeof given === "string") return given;
    const read = hookFields.safeParse(given);
    if (!read.success) {
      for (const { path, message } of read.error.issues) context.addIssue({ code: "custom", path, message });
      return z.NEVER;
    }
    const specs = Object.entries(given).flatMap(([key, value]) => {
      if (hookFieldNames.has(key)) return [];
      const spec = checkUnder(key, value);
      tell(context, checks, spec, [key]);
      return [spec];
    });
    const { data } = read;
    if (specs.length === 0) {
      if (data.id !== undefined) return namedGuardrail(data.id, data);
      context.addIssue({ code: "custom", message: noCheck });
      return z.NEVER;
    }
    return hookSpec(data, data.id ?? generatedId(side, given), data.type ?? type, specs);
  });

/** The same in every process: it is part of what answers are cached under. */
const generatedId = (side: Side, given: object): string =>
  `${side}_guardrail_${(createHash("sha256").update(JSON.stringify(given)).digest().readUInt16BE() % 36 ** 3)
    .toString(36)
    .padStart(3, "0")}`;

/** Reports what is wrong with a check: a guardrail that does not do what was meant is worse than none. */
function tell(
  context: z.core.$RefinementCtx,
  checks: Checker,
  spec: CheckSpec,
  path: PropertyKey[],
  parameters: PropertyKey[] = [],
): void {
  const check = checks.named(spec.id);
  if (!check) {
    context.addIssue({ code: "custom", path, message: unknownCheck(spec.id, checks.all) });
    return;
  }
  for (const mistake of checks.mistakes(check, spec.parameters))
    context.addIssue({ code: "custom", path: [...path, ...parameters, ...mistake.path], message: mistake.message });
}
