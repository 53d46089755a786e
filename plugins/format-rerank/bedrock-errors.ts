import { type Fields, type Format, isRecord } from "../../core/index.ts";

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

/** `{__type, message}`, with the type in a header as well, which is where AWS's clients look first. */
export const bedrockErrors = {
  encodeError({ error, ...rest }: Fields, status = 500): Fields {
    if (!isRecord(error)) return { ...rest, ...(error !== undefined && { error }) };
    return { __type: byStatus[status] ?? "InternalServerException", message: error.message, ...rest };
  },
  errorHeaders: ({ __type: type }: Readonly<Fields>): Readonly<Record<string, string>> =>
    typeof type === "string" ? { "x-amzn-errortype": type } : {},
} satisfies Pick<Format, "encodeError" | "errorHeaders">;
