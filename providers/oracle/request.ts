import { toolOf as cohereTool, dialogueOf, isCohere } from "./cohere.ts";
import { measured, settingsFor } from "./settings.ts";

type Wire = Readonly<Record<string, unknown>>;

const recordsIn = (value: unknown): Wire[] =>
  (Array.isArray(value) ? value : []).filter((one): one is Wire => typeof one === "object" && one !== null);

function contentOf(content: unknown): Record<string, unknown>[] | null {
  if (typeof content === "string") return [{ type: "TEXT", text: content }];
  if (!Array.isArray(content)) return null;
  return recordsIn(content).map((part) => {
    if (part.type === "image_url") return { type: "IMAGE", imageUrl: addressOf(part.image_url) };
    if (part.type === "input_audio") return { type: "AUDIO", audioUrl: { url: audioUrl(part.input_audio as Wire) } };
    if (part.type === "video_url") return { type: "VIDEO", videoUrl: addressOf(part.video_url) };
    if (part.type === "file") return { type: "DOCUMENT", documentUrl: { url: functionOf(part.file).file_data } };
    return { type: "TEXT", text: part.text };
  });
}

/** How closely it is looked at is said in capitals. */
const addressOf = (place: unknown): unknown => {
  const { detail } = functionOf(place);
  return typeof detail === "string" ? { ...functionOf(place), detail: detail.toUpperCase() } : place;
};

const audioUrl = ({ data, format }: Wire): string => `data:audio/${format};base64,${data}`;

const functionOf = (value: unknown): Wire => (typeof value === "object" && value !== null ? (value as Wire) : {});

function messageOf({ role, content, tool_calls: calls, tool_call_id: id }: Wire): Record<string, unknown> {
  const called = recordsIn(calls).map((call) => {
    const { name, arguments: given } = functionOf(call.function);
    return { id: call.id, type: "FUNCTION", name, arguments: given };
  });
  return {
    role: role === "developer" ? "SYSTEM" : String(role).toUpperCase(),
    content: contentOf(content),
    ...(called.length > 0 && { toolCalls: called }),
    ...(id !== undefined && { toolCallId: id }),
  };
}

/** What a tool that takes any text is given it in: there are functions only. */
const anyText = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };

function toolOf(tool: Wire, report: Report | undefined): Record<string, unknown> {
  if (tool.type === "custom") report?.("tools.custom");
  const { name, description, parameters } =
    tool.type === "custom" ? { parameters: anyText, ...functionOf(tool.custom) } : functionOf(tool.function);
  return { type: "FUNCTION", name, description, parameters };
}

function choiceOf(choice: unknown): Record<string, unknown> {
  if (typeof choice === "string") return { type: choice.toUpperCase() };
  const { function: called, custom } = functionOf(choice);
  return { type: "FUNCTION", name: functionOf(called ?? custom).name };
}

/** What the vendor has no place for; those not here either are left to its own judgement. */
export const drops = ["user"];

type Report = (dropped: string) => void;

const serving = (servingType: string, model: unknown) =>
  servingType === "DEDICATED" ? { servingType, endpointId: model } : { servingType, modelId: model };

/** A chat completion request as a chat of this vendor: GENERIC, but for the models of a maker with an older format. */
export function chatDetails(
  wire: Wire,
  compartmentId: string,
  servingType: string,
  report?: Report,
): Record<string, unknown> {
  const { model } = wire;
  const asked = withAllowed(wire, report);
  const chatRequest = isCohere(model) ? cohereChat(asked, report) : genericChat(asked, report);
  return { compartmentId, servingMode: serving(servingType, model), chatRequest };
}

/** The vendor has no choice among several tools: it is told of no others than may be called. */
function withAllowed(wire: Wire, report: Report | undefined): Wire {
  const { tool_choice: choice, ...others } = wire;
  const { type, allowed_tools: allowed } = functionOf(choice);
  if (type !== "allowed_tools") return wire;
  const { mode, tools } = functionOf(allowed);
  const names = new Set(recordsIn(tools).map((tool) => functionOf(tool.function).name));
  const left = recordsIn(wire.tools).filter((tool) => names.has(functionOf(tool.function).name));
  if (left.length > 0) return { ...others, tools: left, tool_choice: mode === "required" ? "required" : "auto" };
  report?.("tool_choice");
  return others;
}

function genericChat(wire: Wire, report: Report | undefined): Record<string, unknown> {
  const { model, messages, tools, tool_choice: choice, stop, ...settings } = wire;
  return {
    apiFormat: "GENERIC",
    messages: recordsIn(messages).map(messageOf),
    ...settingsFor(model, measured(settings, report), false, report),
    ...(stop !== undefined && stop !== null && { stop: [stop].flat() }),
    ...(Array.isArray(tools) && tools.length > 0 && { tools: recordsIn(tools).map((tool) => toolOf(tool, report)) }),
    ...(choice !== undefined && choice !== null && { toolChoice: choiceOf(choice) }),
  };
}

function cohereChat(wire: Wire, report: Report | undefined): Record<string, unknown> {
  const { model, messages, tools, tool_choice: choice, stop, ...settings } = wire;
  if (choice !== undefined && choice !== null && choice !== "auto" && choice !== "none") report?.("tool_choice");
  const offered = choice === "none" ? [] : recordsIn(tools);
  return {
    apiFormat: "COHERE",
    ...dialogueOf(messages, report),
    ...settingsFor(model, settings, true, report),
    ...(stop !== undefined && stop !== null && { stopSequences: [stop].flat() }),
    ...(offered.length > 0 && { tools: offered.map(cohereTool) }),
  };
}
