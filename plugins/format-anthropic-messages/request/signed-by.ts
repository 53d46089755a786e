import type { AssistantPart, ChatRequest } from "../../../core/index.ts";
import { formatName } from "../fields.ts";

/**
 * A request to a vendor that signs what it thinks by itself, as one to this format's namesake: what the vendor signed is what it can
 * verify, and what the namesake did is another one's (decision 0059).
 */
export function signedBy(signer: string | undefined, request: ChatRequest): ChatRequest {
  if (signer === undefined) return request;
  const messages = request.messages.map((message) =>
    message.role === "assistant"
      ? { ...message, content: message.content.map((part) => exchanged(part, signer)) }
      : message,
  );
  return { ...request, messages };
}

function exchanged(part: AssistantPart, signer: string): AssistantPart {
  if (part.type !== "thinking" || part.signer === undefined) return part;
  if (part.signer === signer) return { ...part, signer: formatName };
  return part.signer === formatName ? { ...part, signer: namesake } : part;
}

const namesake = "claude";
