/** Where what is computed (`applicability.ts`) is not what the specification says, each with the reason. */
export const exceptions: Readonly<Record<string, string>> = {
  "GET /audit-logs: unknown id":
    "workspace_id compares with what was written then: the trail of a workspace that is gone stays readable (section 16)",
};
