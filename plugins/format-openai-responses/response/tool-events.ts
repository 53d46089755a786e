import { type Fields, lookUp } from "../../../core/index.ts";
import type { EventSink } from "./text-writer.ts";

/** How the items of built-in tools begin, where they do not begin as they end, and what is told of the tools at work. */
const tools: Readonly<Record<string, { readonly begin: Readonly<Fields>; readonly steps: readonly string[] }>> = {
  web_search_call: { begin: {}, steps: ["in_progress", "searching"] },
  file_search_call: { begin: { results: null }, steps: ["in_progress", "searching"] },
  image_generation_call: { begin: { result: null }, steps: ["in_progress", "generating"] },
  code_interpreter_call: { begin: { code: "", outputs: null }, steps: ["in_progress", "code", "interpreting"] },
};

/** Tells of an item that is there as a whole: clients show what a tool does by its events, and take the code out of them. */
export function tellItem(sink: EventSink, index: number, item: Readonly<Fields>): void {
  const tool = lookUp(tools, String(item.type));
  const begun = tool ? { ...item, ...begunFields(tool.begin, item), status: "in_progress" } : item;
  sink.event("response.output_item.added", { output_index: index, item: begun });
  if (tool) tellSteps(sink, tool.steps, { item_id: item.id, output_index: index }, item);
  sink.event("response.output_item.done", { output_index: index, item });
}

const begunFields = (begin: Readonly<Fields>, item: Readonly<Fields>): Fields =>
  Object.fromEntries(Object.entries(begin).filter(([name]) => item[name] !== undefined && item[name] !== null));

function tellSteps(sink: EventSink, steps: readonly string[], place: Fields, item: Readonly<Fields>): void {
  const { type, status, code } = item;
  for (const step of steps) {
    if (step !== "code") sink.event(`response.${type}.${step}`, place);
    else if (typeof code === "string") {
      sink.event("response.code_interpreter_call_code.delta", { ...place, delta: code });
      sink.event("response.code_interpreter_call_code.done", { ...place, code });
    }
  }
  if (status === "completed") sink.event(`response.${type}.completed`, place);
}
