import { CheckError, type CheckTools, isRecord, Secret, z } from "../../core/index.ts";

/**
 * The credentials of a check's family, as it needs them. Throws CheckError naming what is missing, never a value; with
 * `verdict`, where the check's usual one on errors is not the one for this.
 */
export function credentialsOf<Shape extends z.ZodRawShape>(
  { credentials }: Pick<CheckTools, "credentials">,
  shape: Shape,
  verdict?: boolean,
): z.output<z.ZodObject<Shape>> {
  // A schema for one use: compiling it, as zod does with those of objects, takes longer than all it is used for.
  const read = z.object(shape).safeParse(revealed(credentials), { jitless: true });
  if (read.success) return read.data;
  const missing = read.error.issues.map(({ path }) => path.join(".")).join(", ");
  throw new CheckError(`The credentials of this check lack, or have no valid: ${missing}.`, {
    label: "CredentialsError",
    ...(verdict !== undefined && { verdict }),
  });
}

function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revealed(one)]));
}
