import { calculateObjectSize, type Document, deserialize, Long, serialize } from "bson";

/** A command as it arrived: a document, whose lists may have come beside it. */
export interface Command {
  readonly requestId: number;
  readonly isQuery: boolean;
  readonly body: Document;
}

const headerBytes = 16;
const opReply = 1;
const opQuery = 2004;
const opMsg = 2013;

const document = (bytes: Buffer): Document => deserialize(bytes, { promoteBuffers: true });

/** The whole messages at the beginning of what was received, and what remains. */
export function messagesIn(received: Buffer): { readonly commands: Command[]; readonly rest: Buffer } {
  const commands: Command[] = [];
  let rest = received;
  while (rest.length >= headerBytes && rest.length >= rest.readInt32LE(0)) {
    const length = rest.readInt32LE(0);
    commands.push(commandOf(rest.subarray(0, length)));
    rest = rest.subarray(length);
  }
  return { commands, rest };
}

function commandOf(message: Buffer): Command {
  const requestId = message.readInt32LE(4);
  const kind = message.readInt32LE(12);
  if (kind === opQuery) {
    // Flags, the name up to its zero, two numbers, and the document.
    const at = message.indexOf(0, headerBytes + 4) + 1 + 8;
    return { requestId, isQuery: true, body: document(message.subarray(at)) };
  }
  if (kind !== opMsg) throw new Error(`a message of kind ${kind}`);
  let body: Document = {};
  const lists: Document = {};
  for (let at = headerBytes + 4; at < message.length; ) {
    const section = message[at];
    const length = message.readInt32LE(at + 1);
    const bytes = message.subarray(at + 1, at + 1 + length);
    if (section === 0) body = document(bytes);
    else Object.assign(lists, listOf(bytes));
    at += 1 + length;
  }
  return { requestId, isQuery: false, body: { ...body, ...lists } };
}

function listOf(bytes: Buffer): Document {
  const end = bytes.indexOf(0, 4);
  const documents: Document[] = [];
  for (let at = end + 1; at < bytes.length; at += bytes.readInt32LE(at))
    documents.push(document(bytes.subarray(at, at + bytes.readInt32LE(at))));
  return { [bytes.toString("utf8", 4, end)]: documents };
}

/** An answer in the manner of the question. */
export function answerTo({ requestId, isQuery }: Command, body: Document): Buffer {
  const before = isQuery ? Buffer.alloc(headerBytes + 20) : Buffer.alloc(headerBytes + 5);
  before.writeInt32LE(before.length + calculateObjectSize(body, { ignoreUndefined: true }), 0);
  before.writeInt32LE(requestId, 8);
  before.writeInt32LE(isQuery ? opReply : opMsg, 12);
  if (isQuery) before.writeInt32LE(1, headerBytes + 16);
  return Buffer.concat([before, serialize(body, { ignoreUndefined: true })]);
}

/** Identifiers of cursors are 64 bits wide. */
export const wide = (value: number): Long => Long.fromNumber(value);
