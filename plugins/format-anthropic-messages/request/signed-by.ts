import type { AssistantPart, ChatRequest } from "../../../core/index.ts";
import { formatName, type Report } from "../fields.ts";

/**
 * A request to a vendor that signs what it thinks by itself, as one to this format's namesake: what the vendor signed is what it can
 * verify, and what the namesake did is another one's, as is thinking that only it can read (decision 0059).
 */
export function signedBy(signer: string | undefined, request: ChatRequest, report: Report): ChatRequest {
  if (signer === undefined) return request;
  const messages = request.messages.map((message) =>
    message.role === "assistant"
      ? { ...message, content: message.content.flatMap((part) => exchanged(part, signer, report)) }
      : message,
  );
  return { ...request, messages };
}

function exchanged(part: AssistantPart, signer: string, report: Report): AssistantPart[] {
  if (part.type === "redacted-thinking") {
    report("messages.thinking");
    return [];
  }
  if (part.type !== "thinking" || part.signer === undefined) return [part];
  if (part.signer === signer) return [{ ...part, signer: formatName }];
  return [part.signer === formatName ? { ...part, signer: namesake } : part];
}

const namesake = "claude";
