import {
  type AssistantPart,
  type ContentPart,
  type Fields,
  isRecord,
  leftovers,
  type Message,
  refuse,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  writeJson,
} from "../../../core/index.ts";
import { madeId } from "../call-id.ts";
import { camelled, extraOf, formatName, listAt, objectAt, textAt } from "../fields.ts";
import { decodeMedia } from "../media.ts";
import { proofIn, readProof } from "../proof.ts";
import { readResponse } from "./function-response.ts";
import { joinTurns } from "./join-turns.ts";
import { OpenCalls } from "./open-calls.ts";

const textFields = new Set(["text", "thoughtSignature"]);
const thoughtFields = new Set(["text", "thought", "thoughtSignature"]);
const callFields = new Set(["functionCall", "thoughtSignature"]);
const contentFields = new Set(["role", "parts"]);

/** Part fields under the names they are known by in all formats. */
const signed = (wire: Readonly<Fields>, known: ReadonlySet<string>): Fields => ({
  ...leftovers(wire, known),
  ...proofIn(wire),
});

/** Reads the turns of a conversation, giving ids to calls that have none and finding the calls that results answer. */
export function decodeContents(contents: unknown): Message[] {
  const calls = new OpenCalls();
  const list = listAt(contents, "contents");
  const messages: Message[] = [];
  for (let at = 0; at < list.length; at++)
    for (const message of decodeContent(list[at], at, calls)) messages.push(message);
  return joinTurns(messages);
}

function decodeContent(content: unknown, at: number, calls: OpenCalls): Message[] {
  const path = `contents[${at}]`;
  const wire = objectAt(content, path);
  const role = textAt(wire.role, `${path}.role`) ?? "user";
  const parts = wire.parts === undefined || wire.parts === null ? [] : listAt(wire.parts, `${path}.parts`);
  const rest = leftovers(wire, contentFields);
  const places = parts.map(
    (part, index) => [objectAt(part, `${path}.parts[${index}]`), `${path}.parts[${index}]`] as const,
  );
  if (role === "model" || role === "assistant") {
    const said = places.map(([part, place], index) => decodeSaid(part, place, madeId(at, index), calls));
    return [{ role: "assistant", content: said, ...extraOf(rest) }];
  }
  const results: ToolResultPart[] = [];
  const asked: ContentPart[] = [];
  for (const [index, [part, place]] of places.entries()) {
    if (isRecord(part.functionResponse)) results.push(decodeResult(part, place, madeId(at, index), calls));
    else asked.push(decodePart(part, place));
  }
  const user: Message = { role: "user", content: asked, ...(results.length === 0 && extraOf(rest)) };
  if (results.length === 0) return [user];
  return [{ role: "tool", content: results, ...extraOf(rest, { role }) }, ...(asked.length > 0 ? [user] : [])];
}

/** What people say, and instructions. */
export function decodePart(part: Readonly<Fields>, path: string): ContentPart {
  if (part.text !== undefined && part.thought !== true) return decodeText(part, path);
  return decodeMedia(part) ?? { type: "opaque", format: formatName, value: part };
}

export function decodeText(part: Readonly<Fields>, path: string): TextPart {
  const text = textAt(part.text, `${path}.text`) ?? refuse(`${path}.text`, "a string", part.text);
  return { type: "text", text, ...extraOf(signed(part, textFields)) };
}

function decodeSaid(part: Readonly<Fields>, path: string, id: string, calls: OpenCalls): AssistantPart {
  if (typeof part.text === "string" && part.thought === true)
    return {
      type: "thinking",
      text: part.text,
      ...(typeof part.thoughtSignature === "string" && readProof(part.thoughtSignature)),
      ...extraOf(leftovers(part, thoughtFields)),
    };
  // A signature of its own, which a stream may end with.
  if (part.text === "" && part.thoughtSignature !== undefined)
    return { type: "opaque", format: formatName, value: part };
  if (isRecord(part.functionCall)) return decodeCall(part, camelled(part.functionCall), path, id, calls);
  const said = decodePart(part, path);
  // Models show images and sounds; a document of theirs is known to this format only.
  return said.type === "document" ? { type: "opaque", format: formatName, value: part } : said;
}

const functionCallFields = new Set(["id", "name", "args"]);

function decodeCall(
  part: Readonly<Fields>,
  call: Readonly<Fields>,
  path: string,
  freshId: string,
  calls: OpenCalls,
): ToolCallPart {
  const place = `${path}.functionCall`;
  const name = textAt(call.name, `${place}.name`) ?? refuse(`${place}.name`, "a string", call.name);
  const id = textAt(call.id, `${place}.id`) || freshId;
  const { args = {} } = call;
  if (args !== null && !isRecord(args)) refuse(`${place}.args`, "an object with the arguments", args);
  calls.add(id, name);
  const inner = leftovers(call, functionCallFields);
  return {
    type: "tool-call",
    id,
    name,
    arguments: writeJson(args ?? {}),
    ...extraOf({ ...signed(part, callFields), ...(inner && { functionCall: inner }) }),
  };
}

const responseFields = new Set(["id", "name", "response", "parts"]);
const resultFields = new Set(["functionResponse"]);

function decodeResult(part: Readonly<Fields>, path: string, freshId: string, calls: OpenCalls): ToolResultPart {
  const place = `${path}.functionResponse`;
  const wire = objectAt(part.functionResponse, place);
  const name = textAt(wire.name, `${place}.name`);
  const called = calls.take(textAt(wire.id, `${place}.id`), name);
  const { text, isError, written } = readResponse(wire.response, `${place}.response`);
  const shown = wire.parts === undefined || wire.parts === null ? [] : listAt(wire.parts, `${place}.parts`);
  const inner = { ...leftovers(wire, responseFields), ...(name !== undefined && called?.name !== name && { name }) };
  return {
    type: "tool-result",
    toolCallId: textAt(wire.id, `${place}.id`) || called?.id || freshId,
    content: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...shown.map((one, at) => decodePart(objectAt(one, `${place}.parts[${at}]`), `${place}.parts[${at}]`)),
    ],
    ...(isError && { isError }),
    ...extraOf(
      { ...leftovers(part, resultFields), ...(Object.keys(inner).length > 0 && { functionResponse: inner }) },
      written && { response: written },
    ),
  };
}
