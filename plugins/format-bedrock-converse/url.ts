import { type PathContext, percentDecoded } from "../../core/index.ts";

/** `/model/MODEL/converse`, `/converse-stream` and `/count-tokens`; an ARN stands in the path with its slashes encoded. */
const called = /^\/model\/([^/?]+)\/(converse|converse-stream|count-tokens)\/?(?:\?|$)/;

/** Reads off a URL what other formats say in the body. */
export function readUrl(url: string): { model?: string; stream?: boolean } {
  const [, name, action] = called.exec(url) ?? [];
  return name === undefined ? {} : { model: percentDecoded(name), stream: action === "converse-stream" };
}

export const callPath = ({ model, stream }: PathContext): string =>
  `/model/${encodeURIComponent(model)}/${stream ? "converse-stream" : "converse"}`;
