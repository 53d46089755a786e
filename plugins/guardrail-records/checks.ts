import { type ChecksService, unknownCheck, z } from "../../core/index.ts";

/** A check of a guardrail, as it is kept: by the id and with the parameters it was given. */
export interface KeptCheck {
  readonly id: string;
  readonly name?: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly is_enabled: boolean;
}

/** A check in a body, or in the config file. */
export const checkShape = z
  .object({
    id: z.string().min(1),
    name: z.string().max(255).optional(),
    parameters: z.record(z.string(), z.unknown()).default({}),
    is_enabled: z.boolean().default(true),
  })
  .meta({ brought: "check" });

type Known = Pick<ChecksService, "all" | "named" | "mistakes" | "misspelt" | "doubt">;

interface Mistake {
  readonly path: PropertyKey[];
  readonly message: string;
}

/** What is wrong with checks, by place: `[0].parameters.words`. Parameters nobody knows are kept, but for misspelt ones. */
export function mistakesIn(known: Known, checks: readonly KeptCheck[]): Mistake[] {
  return checks.flatMap(({ id, parameters }, at) => {
    const check = known.named(id);
    if (!check) return [{ path: [at, "id"], message: unknownCheck(id, known.all) }];
    return [...known.mistakes(check, parameters), ...known.misspelt(check, parameters)].map(({ path, message }) => ({
      path: [at, "parameters", ...path],
      message,
    }));
  });
}

/** What can be used and is hardly meant, by place. */
export const doubtsIn = (known: Known, checks: readonly KeptCheck[]): Mistake[] =>
  checks.flatMap(({ id, parameters }, at) => {
    const check = known.named(id);
    const message = check && known.doubt(check, parameters);
    return message === undefined ? [] : [{ path: [at, "parameters"], message }];
  });

/** The checks of a body, each known and with parameters that fit it, and that are meant. */
export const checkList = (known: Known) =>
  z
    .array(checkShape)
    .min(1)
    .superRefine((checks, context) => {
      for (const mistake of [...mistakesIn(known, checks), ...doubtsIn(known, checks)])
        context.addIssue({ code: "custom", ...mistake });
    });

/** The addresses that checks call, with their place: `[0].parameters.webhookURL`. */
export const addressesIn = (
  known: Known,
  checks: readonly KeptCheck[],
): { readonly place: string; readonly url: string }[] =>
  checks.flatMap(({ id, parameters }, at) =>
    (known.named(id)?.urls ?? []).flatMap((name) => {
      const url = parameters[name];
      return typeof url === "string" ? [{ place: `[${at}].parameters.${name}`, url }] : [];
    }),
  );
