import { z } from "../../core/index.ts";
import { checkNamed } from "./catalogue/index.ts";

/** A check of a guardrail, as it is kept: by the id and with the parameters it was given. */
export interface KeptCheck {
  readonly id: string;
  readonly name?: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly is_enabled: boolean;
}

/** A check in a body. The parameters of one that is known are checked; those nobody knows are kept. */
const check = z
  .object({
    id: z.string().min(1),
    name: z.string().max(255).optional(),
    parameters: z.record(z.string(), z.unknown()).default({}),
    is_enabled: z.boolean().default(true),
  })
  .transform((given, context): KeptCheck => {
    const wrong = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
    const entry = checkNamed(given.id);
    if (!entry) {
      wrong(["id"], `"${given.id}" is not the id of a check`);
      return z.NEVER;
    }
    const parsed = entry.parameters.safeParse(given.parameters);
    if (parsed.success) return { ...given, parameters: parsed.data };
    for (const { path, message } of parsed.error.issues) wrong(["parameters", ...path], message);
    return z.NEVER;
  });

export const checkList = z.array(check).min(1);

/** The addresses that checks call, with their place: `[0].parameters.webhookURL`. */
export const addressesIn = (checks: readonly KeptCheck[]): { readonly place: string; readonly url: string }[] =>
  checks.flatMap(({ id, parameters }, at) =>
    (checkNamed(id)?.urls ?? []).flatMap((name) => {
      const url = parameters[name];
      return typeof url === "string" ? [{ place: `[${at}].parameters.${name}`, url }] : [];
    }),
  );
