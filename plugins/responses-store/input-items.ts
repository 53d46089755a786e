import { randomUUID } from "node:crypto";
import { type Fields, isRecord } from "../../core/index.ts";

const prefixes: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  function_call_output: "fco",
  reasoning: "rs",
};

/** The items of a request's `input`, written out: a text is a message, and every item has an id. */
export function itemsOf(input: unknown): Fields[] {
  if (typeof input === "string") return [withId({ type: "message", role: "user", content: [textPart(input)] })];
  return Array.isArray(input) ? input.filter(isRecord).map(withId) : [];
}

function withId(item: Readonly<Fields>): Fields {
  const { id, type = "message", content, ...others } = item;
  return {
    id: typeof id === "string" ? id : `${prefixes[String(type)] ?? "item"}_${randomUUID().replaceAll("-", "")}`,
    type,
    ...others,
    ...(content !== undefined && { content: typeof content === "string" ? [textPart(content)] : content }),
    ...(type === "message" && { status: item.status ?? "completed" }),
  };
}

const textPart = (text: string): Fields => ({ type: "input_text", text });
