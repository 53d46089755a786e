import { frameEventsOf } from "../../../core/http/aws-event-stream/events.ts";
import { eventFrame } from "../../../core/index.ts";
import { inPieces, list, objectOf, type Plan, text, type Wire, wire, writtenArgs } from "./speaker.ts";

/** Streams of Converse: as the vendor writes them, and as its clients add them up. */

export const contentOf = (whole: Wire): readonly Wire[] => list(wire(wire(whole.output).message).content);

export function frames(whole: Wire, { sizes }: Plan): string {
  const frame = (type: string, data: Wire) => eventFrame(type, JSON.stringify(data));
  let out = frame("messageStart", { role: "assistant" });
  for (const [contentBlockIndex, one] of contentOf(whole).entries()) {
    const delta = (inner: Wire) => frame("contentBlockDelta", { contentBlockIndex, delta: inner });
    const start = (inner: Wire) => frame("contentBlockStart", { contentBlockIndex, start: inner });
    const { reasoningContent, toolUse, citationsContent, image } = one;
    const { reasoningText, redactedContent } = wire(reasoningContent);
    if (toolUse) {
      const { toolUseId, name, input } = wire(toolUse);
      out += start({ toolUse: { toolUseId, name } });
      const json = writtenArgs(input);
      for (const piece of json === "{}" ? [] : inPieces(json, sizes)) out += delta({ toolUse: { input: piece } });
    } else if (reasoningText) {
      const { text: thought, signature } = wire(reasoningText);
      for (const piece of inPieces(text(thought), sizes)) out += delta({ reasoningContent: { text: piece } });
      if (signature !== undefined) out += delta({ reasoningContent: { signature } });
    } else if (redactedContent) out += delta({ reasoningContent: { redactedContent } });
    else if (image) {
      out += start({ image: { format: "png" } });
      out += delta({ image: { source: wire(image).source } });
    } else {
      const cited = wire(citationsContent);
      const said = citationsContent ? text(list(cited.content)[0]?.text) : text(one.text);
      for (const piece of inPieces(said, sizes)) out += delta({ text: piece });
      for (const citation of list(cited.citations)) out += delta({ citation });
    }
    out += frame("contentBlockStop", { contentBlockIndex });
  }
  const { stopReason, usage, metrics } = whole;
  return out + frame("messageStop", { stopReason }) + frame("metadata", { usage, metrics });
}

/** As agents add a stream up: the SDK leaves it to them. */
export function gather(bytes: Buffer): Wire {
  const content: Record<string, unknown>[] = [];
  const inputs: string[] = [];
  let stopReason: unknown;
  for (const { event, data } of frameEventsOf(bytes)) {
    const { contentBlockIndex: index, start, delta, ...more } = wire(JSON.parse(data));
    const at = Number(index);
    if (event === "contentBlockStart") content[at] = JSON.parse(JSON.stringify(start));
    else if (event === "contentBlockDelta") content[at] = grown(content[at] ?? {}, wire(delta), at, inputs);
    else if (event === "messageStop") stopReason = more.stopReason;
  }
  const whole = content.filter(Boolean).map((one, at) => {
    const json = inputs[at] ?? "";
    return one.toolUse ? { toolUse: { ...wire(one.toolUse), input: json === "" ? {} : objectOf(json) } } : one;
  });
  return { output: { message: { role: "assistant", content: whole } }, stopReason };
}

function grown(open: Record<string, unknown>, delta: Wire, at: number, inputs: string[]): Record<string, unknown> {
  const thought = wire(delta.reasoningContent);
  if (delta.text !== undefined) {
    if (!open.citationsContent) return { ...open, text: text(open.text) + text(delta.text) };
    const { content, citations } = wire(open.citationsContent);
    return { citationsContent: { content: [{ text: text(list(content)[0]?.text) + text(delta.text) }], citations } };
  }
  if (delta.citation) {
    const known = wire(open.citationsContent);
    const content = open.citationsContent ? known.content : [{ text: text(open.text) }];
    return { citationsContent: { content, citations: [...list(known.citations), delta.citation] } };
  }
  if (delta.toolUse) inputs[at] = (inputs[at] ?? "") + text(wire(delta.toolUse).input);
  if (delta.image) return { image: { ...wire(open.image), ...wire(delta.image) } };
  if (!delta.reasoningContent) return open;
  if (thought.redactedContent) return { reasoningContent: { redactedContent: thought.redactedContent } };
  const known = wire(wire(open.reasoningContent).reasoningText);
  const signature = text(known.signature) + text(thought.signature);
  const reasoningText = { text: text(known.text) + text(thought.text), ...(signature !== "" && { signature }) };
  return { reasoningContent: { reasoningText } };
}
