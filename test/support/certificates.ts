import { readFileSync } from "node:fs";
import { root } from "./root.ts";

const folder = `${root}test/support/certificates`;
const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8");

/** What signed the certificate below, and nothing else: a path, for TLS_CA. */
export const authority = `${folder}/authority.pem`;

/** Another one, which signed nothing. */
export const stranger = `${folder}/stranger.pem`;

/**
 * A server's certificate for localhost, vendor.example and 127.0.0.1, with its key. Good for a century, and for tests
 * only: the key is known to everybody, and nobody believes the authority unless told to.
 */
export const certified = { key: read("server.key"), cert: read("server.pem") };

/** A client's, which it has signed itself. */
export const client = { key: read("client.key"), cert: read("client.pem") };
