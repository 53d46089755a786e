import { type Endpoint, GatewayError } from "../../core/index.ts";

/** What is to come (control-plane.md section 24): nothing is there for anybody, and no provider is asked instead. */
const description = { tag: "agents", summary: "Nothing is here yet: agents are neither managed nor called (404)." };
const paths = ["/agent-integrations", "/agent-integrations/*", "/agent-servers", "/agent-servers/*", "/agent/*"];

export const reservedEndpoints: readonly Endpoint[] = paths.flatMap((path) =>
  ["GET", "POST", "PUT", "DELETE"].flatMap((method) =>
    ["/v1", "/v2"].map((version) => ({
      type: "reserved",
      method,
      path: version + path,
      open: true,
      errors: "management" as const,
      description,
      serve() {
        throw new GatewayError("record_unknown", "Agents are not managed or called here yet.");
      },
    })),
  ),
);
