import type { ChangeStream, Document, Timestamp } from "mongodb";
import type { MongoConnection } from "../../core/index.ts";
import { prefix } from "./documents.ts";
import { type Following, type Hearing, type Left, noticeOf } from "./notices.ts";

/** Milliseconds the server waits for news before it says that there are none. */
const patience = 1000;

const told = ["removed", "version", "updated"] as const satisfies readonly (keyof Left)[];

/** What was written, without the documents: a removed record is one that is written as removed. */
const pipeline: Document[] = [
  { $match: { operationType: { $in: ["insert", "update", "replace"] }, "ns.coll": { $regex: `^${prefix}` } } },
  {
    $project: Object.fromEntries(
      [
        "ns",
        "documentKey",
        ...told.flatMap((name) => [`fullDocument.${name}`, `updateDescription.updatedFields.${name}`]),
      ].map((path) => [path, 1]),
    ),
  },
];

/**
 * The changes as the server tells them, from this moment on. The driver reconnects by itself and goes on where it was; where
 * it does not notice that its connection is dead, the silence does.
 */
export function streamOf(connection: MongoConnection, from: Timestamp, hearing: Hearing): Following {
  const stream = connection.database.watch<Document, Document>(pipeline, {
    startAtOperationTime: from,
    maxAwaitTimeMS: patience,
  });
  const closed = () => connection.inTime(stream.close()).catch(() => undefined);
  let stopped = false;
  const reading = read(connection, stream, hearing).catch(() => {
    void closed();
    if (!stopped) hearing.ended();
  });
  return {
    async stop() {
      stopped = true;
      await closed();
      await connection.inTime(reading).catch(() => undefined);
    },
  };
}

async function read(connection: MongoConnection, stream: ChangeStream<Document, Document>, hearing: Hearing) {
  for (;;) {
    const change = await connection.inTime(stream.tryNext(), patience);
    if (!change) continue;
    const { ns, documentKey, fullDocument, updateDescription } = change;
    const left: Left = fullDocument ?? updateDescription?.updatedFields ?? {};
    hearing.change(noticeOf(String(ns.coll), String(documentKey._id), left));
  }
}
