import type { ChangeStream, Document, Timestamp } from "mongodb";
import type { MongoConnection } from "../../core/index.ts";
import { type Following, type Hearing, noticeOf } from "./changes.ts";
import { prefix } from "./documents.ts";

/** Milliseconds the server waits for news before it says that there are none. */
const patience = 1000;

/** What was written, without the documents: a removed record is one that is written as removed. */
const pipeline: Document[] = [
  { $match: { operationType: { $in: ["insert", "update", "replace"] }, "ns.coll": { $regex: `^${prefix}` } } },
  { $project: { ns: 1, documentKey: 1, "fullDocument.removed": 1, "updateDescription.updatedFields.removed": 1 } },
];

/** The changes as the server tells them, from this moment on. The driver reconnects by itself and goes on where it was. */
export function streamOf(connection: MongoConnection, from: Timestamp, hearing: Hearing): Following {
  const stream = connection.database.watch<Document, Document>(pipeline, {
    startAtOperationTime: from,
    maxAwaitTimeMS: patience,
  });
  let stopped = false;
  const reading = read(stream, hearing).catch(async () => {
    await stream.close().catch(() => undefined);
    if (!stopped) hearing.ended();
  });
  return {
    async stop() {
      stopped = true;
      await stream.close().catch(() => undefined);
      await reading;
    },
  };
}

async function read(stream: ChangeStream<Document, Document>, hearing: Hearing): Promise<void> {
  for (;;) {
    const { ns, documentKey, fullDocument, updateDescription } = await stream.next();
    const removed = fullDocument?.removed === true || updateDescription?.updatedFields?.removed === true;
    hearing.change(noticeOf(String(ns.coll), String(documentKey._id), removed));
  }
}
