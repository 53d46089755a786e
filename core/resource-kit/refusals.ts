import { GatewayError } from "../errors/gateway-error.ts";
import { RecordError } from "../services/records.ts";
import type { ResourceDefinition } from "./definition.ts";

export const isDuplicate = (error: unknown): error is RecordError =>
  error instanceof RecordError && error.reason === "duplicate";

/** Says in the words of callers that somebody has what must be unique. */
export function takenBy(
  { what, slug: rule }: Pick<ResourceDefinition<never>, "what" | "slug">,
  error: RecordError,
  slug: string | undefined,
): GatewayError {
  if (!error.fields.includes("slug")) {
    // `taken_name` is the name of those that are there.
    const fields = error.fields.map((field) => field.replace(/^taken_/, ""));
    const param = fields.find((field) => field !== "workspace_id") ?? "id";
    const message = `There is a ${what} with the same ${fields.join(", ")} already.`;
    return new GatewayError("already_exists", message, { param });
  }
  return new GatewayError(rule?.taken ?? "already_exists", `The slug "${slug}" is taken.`, { param: "slug" });
}

/** Which one is changed is not left to chance. */
export const severalMeant = (what: string, slug: string): GatewayError =>
  new GatewayError("record_invalid", `Several workspaces have a ${what} "${slug}": say which in workspace_id.`, {
    param: "workspace_id",
  });
