import { type AssistantPart, argumentsObject, type Fields, isRecord, type ToolCallPart } from "../../../core/index.ts";
import { idFor } from "../call-id.ts";
import { formatName, restore } from "../fields.ts";
import { encodeMedia } from "../media.ts";
import { encodeRanCode } from "../ran-code.ts";
import { encodeThought, signedPart } from "../request/encode-contents.ts";

/** A part of an answer as those this format has for it; none for what it cannot show. */
export function encodeAnswerPart(part: AssistantPart): readonly Fields[] {
  if (part.type === "opaque" && part.format !== formatName) return part.ran ? encodeRanCode(part.ran) : [];
  const wire = encodeOne(part);
  return wire ? [wire] : [];
}

function encodeOne(part: AssistantPart): Fields | undefined {
  switch (part.type) {
    case "text":
      return signedPart({ text: part.text }, part);
    case "refusal":
      return part.text === "" ? undefined : { text: part.text };
    case "thinking":
      return encodeThought(part);
    case "tool-call":
      return encodeCall(part);
    case "image":
    case "audio":
      return restore(encodeMedia(part), part.extra);
    case "opaque":
      return isRecord(part.value) ? part.value : undefined;
    case "redacted-thinking":
      return undefined;
  }
}

/** Models do write arguments that are not JSON. They reach the client under a name no tool has a parameter for. */
export const encodeCall = (part: Pick<ToolCallPart, "id" | "name" | "arguments" | "extra">): Fields =>
  signedPart(
    {
      functionCall: Object.assign(idFor(part.id), {
        name: part.name,
        args: argumentsObject(part.arguments),
      }),
    },
    part,
  );
