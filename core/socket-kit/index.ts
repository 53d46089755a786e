/** What endpoints whose clients ask for a websocket are made from. */
export { type ClientSockets, clientSockets, refuseMalformed, webSockets } from "./client-sockets.ts";
export { closeReason } from "./close-reason.ts";
export { type BrowserWords, headersFrom, keptBy } from "./subprotocols.ts";
