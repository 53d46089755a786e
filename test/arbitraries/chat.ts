/**
 * Valid canonical values for property tests of formats. They hold what every chat format must cope with (tools, images,
 * thinking with signatures, cache markers, usage) and nothing only one format knows: no `extra`, no opaque parts, no
 * native tools. Within an answer, tool calls come last, as they do from every vendor.
 */

export { arbitraryChatRequest } from "./chat-request.ts";
export { arbitraryChatResponse, arbitraryCompletionResponse, arbitraryUsage } from "./chat-response.ts";

/** Freezes a value all the way down, so that a codec which writes to its input fails. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
