/** Where what is computed (`applicability.ts`) is not what the specification says, each with the reason. */
export const exceptions: Readonly<Record<string, string>> = {
  "GET /audit-logs: unknown id":
    "workspace_id compares with what was written then: the trail of a workspace that is gone stays readable (section 16)",
};

const passed = "a parameter of the request: it goes to the provider as it is (prompts.md, inference-api.md section 20)";

/** Fields of which `/openapi.json` tells a type that is nobody's to check here. */
export const unchecked: Readonly<Record<string, string>> = {
  "POST /prompts/{promptId}/completions: stream": passed,
  "POST /prompts/{promptId}/render: stream": passed,
};
