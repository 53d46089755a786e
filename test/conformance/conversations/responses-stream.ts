import { inPieces, list, named, type Plan, text, type Wire } from "./speaker.ts";

/** Streams of the Responses API, as the vendor writes them. */

const empty: Readonly<Record<string, Wire>> = {
  message: { status: "in_progress", content: [] },
  function_call: { status: "in_progress", arguments: "" },
  custom_tool_call: { status: "in_progress", input: "" },
  reasoning: { summary: [] },
  code_interpreter_call: { status: "in_progress", code: "", outputs: null },
  image_generation_call: { status: "in_progress", result: null },
  tool_search_call: { status: "in_progress", arguments: {} },
};

export function frames(whole: Wire, { sizes }: Plan): string {
  let sequence = 0;
  const event = (type: string, data: Wire) => named(`response.${type}`, { sequence_number: sequence++, ...data });
  const begun = { ...whole, status: "in_progress", incomplete_details: null, output: [], usage: null };
  let out = event("created", { response: begun }) + event("in_progress", { response: begun });
  for (const [index, one] of list(whole.output).entries()) {
    const place = { item_id: one.id, output_index: index };
    out += event("output_item.added", { output_index: index, item: { ...one, ...empty[text(one.type)] } });
    for (const [summary_index, { text: said }] of list(one.summary).entries()) {
      const at = { ...place, summary_index };
      out += event("reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
      for (const delta of inPieces(text(said), sizes)) out += event("reasoning_summary_text.delta", { ...at, delta });
      out += event("reasoning_summary_text.done", { ...at, text: said });
      out += event("reasoning_summary_part.done", { ...at, part: { type: "summary_text", text: said } });
    }
    for (const [content_index, part] of list(one.content).entries()) {
      const at = { ...place, content_index };
      const kind = part.type === "refusal" ? "refusal" : "output_text";
      const field = kind === "refusal" ? "refusal" : "text";
      const bare = { ...part, [field]: "", ...(part.annotations !== undefined && { annotations: [] }) };
      out += event("content_part.added", { ...at, part: bare });
      for (const delta of inPieces(text(part[field]), sizes)) out += event(`${kind}.delta`, { ...at, delta });
      for (const [annotation_index, annotation] of list(part.annotations).entries())
        out += event("output_text.annotation.added", { ...at, annotation_index, annotation });
      out += event(`${kind}.done`, { ...at, [field]: part[field] }) + event("content_part.done", { ...at, part });
    }
    if (one.type === "function_call") {
      for (const delta of inPieces(text(one.arguments), sizes))
        out += event("function_call_arguments.delta", { ...place, delta });
      out += event("function_call_arguments.done", { ...place, arguments: one.arguments });
    }
    if (one.type === "custom_tool_call") {
      for (const delta of inPieces(text(one.input), sizes))
        out += event("custom_tool_call_input.delta", { ...place, delta });
      out += event("custom_tool_call_input.done", { ...place, input: one.input });
    }
    out += event("output_item.done", { output_index: index, item: one });
  }
  return out + event(text(whole.status), { response: whole });
}
