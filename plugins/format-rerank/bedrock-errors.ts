import { awsErrors } from "../../core/index.ts";

/** What the service that ranks calls its errors (@aws-sdk/client-bedrock-agent-runtime 3.1164), by their status. */
const byStatus: Readonly<Record<number, string>> = {
  400: "ValidationException",
  402: "ServiceQuotaExceededException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  409: "ConflictException",
  422: "ValidationException",
  424: "DependencyFailedException",
  429: "ThrottlingException",
  502: "BadGatewayException",
};

export const bedrockErrors = awsErrors((_, status = 500) => byStatus[status] ?? "InternalServerException");
