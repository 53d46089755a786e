import { bracketed } from "../http/host-names.ts";

/** Where this machine reaches a gateway that listens on a host: on all addresses is on its own, too. */
export function reachableUrl(host: string, port: number, secure: boolean): string {
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : bracketed(host);
  return `${secure ? "https" : "http"}://${shown}:${port}`;
}
