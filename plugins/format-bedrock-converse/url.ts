import type { PathContext } from "../../core/index.ts";

/** `/model/MODEL/converse`, `/converse-stream` and `/count-tokens`; an ARN stands in the path with its slashes encoded. */
const called = /^\/model\/([^/?]+)\/(converse|converse-stream|count-tokens)\/?(?:\?|$)/;

/** Reads off a URL what other formats say in the body. */
export function readUrl(url: string): { model?: string; stream?: boolean } {
  const [, name, action] = called.exec(url) ?? [];
  return name === undefined ? {} : { model: decoded(name), stream: action === "converse-stream" };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export const callPath = ({ model, stream }: PathContext): string =>
  `/model/${encodeURIComponent(model)}/${stream ? "converse-stream" : "converse"}`;
