import { CheckError, type CheckTools, Secret, z } from "../../core/index.ts";

/** The credentials of a check's family, as it needs them. Throws CheckError naming what is missing, never a value. */
export function credentialsOf<Shape extends z.ZodRawShape>(
  { credentials }: Pick<CheckTools, "credentials">,
  shape: Shape,
): z.output<z.ZodObject<Shape>> {
  const plain = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, revealed(value)]));
  const read = z.object(shape).safeParse(plain);
  if (read.success) return read.data;
  const missing = read.error.issues.map(({ path }) => path.join(".")).join(", ");
  throw new CheckError(`The credentials of this check lack, or have no valid: ${missing}.`, {
    label: "CredentialsError",
  });
}

const revealed = (value: unknown): unknown => (value instanceof Secret ? value.reveal() : value);
