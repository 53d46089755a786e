import { MongoConnection, type MongoConnectionOptions, RecordError } from "../../core/index.ts";

/** A connection whose errors are those of a store of records. */
export const openConnection = (options: Omit<MongoConnectionOptions, "down">): Promise<MongoConnection> =>
  MongoConnection.open({ ...options, down: (reason) => new RecordError("down", reason) });
