import type { ErrorDetail } from "../errors/error-detail.ts";

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The text of the first element of a name, in the flat XML that storage services answer with. Undefined where there is none. */
export function xmlText(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}(?:\\s[^>]*)?>([^<]*)</${element}>`).exec(xml)?.[1];
  return text?.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

/** `<Error><Code>NoSuchKey</Code><Message>…</Message></Error>`. */
export function xmlError(xml: string): ErrorDetail | undefined {
  const code = xmlText(xml, "Code");
  const message = xmlText(xml, "Message") ?? code;
  return message === undefined ? undefined : { message, ...(code !== undefined && { code }) };
}
