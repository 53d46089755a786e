import type { GatewayRequest } from "../../model/request.ts";

/**
 * Whether the client asked for usage inside its stream. Decodes the request; a body that cannot be decoded was the vendor's
 * to judge, and asks for nothing that is known here.
 */
export function asksStreamUsage(request: GatewayRequest): boolean {
  if (!request.stream) return false;
  try {
    const { body } = request;
    return "includeUsage" in body && body.includeUsage === true;
  } catch {
    return false;
  }
}
