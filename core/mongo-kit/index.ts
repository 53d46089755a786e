/** What plugins that keep something in MongoDB are made from. */
export { Connection as MongoConnection, type ConnectionOptions as MongoConnectionOptions } from "./connection.ts";
export { mongoOptions } from "./options.ts";
