import type { Secret } from "../secrets/secret.ts";

export interface ServiceAccount {
  readonly email: string;
  readonly key: string;
  readonly keyId: string | undefined;
  readonly projectId: string | undefined;
}

/** A service account, read from its key file; undefined where that is not one. */
export function serviceAccountIn(json: Secret | undefined): ServiceAccount | undefined {
  const read = json && fieldsIn(json);
  const text = (field: string): string | undefined => {
    const value = read?.[field];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const email = text("client_email");
  const key = text("private_key");
  if (!email || !key) return undefined;
  return { email, key, keyId: text("private_key_id"), projectId: text("project_id") };
}

/** The fields of a JSON object; undefined where the text is none. */
export function fieldsIn(json: Secret): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json.reveal());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
