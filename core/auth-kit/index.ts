/** What plugins that let people in are made from. */
export { type Credential, carriedBy, credentialOf, isToken } from "./credential.ts";
export { type FileKeyFinder, fileKey, fileKeys, shortestKey } from "./file-keys.ts";
export { inWorkspace } from "./in-workspace.ts";
export { refusedBy } from "./store-down.ts";
