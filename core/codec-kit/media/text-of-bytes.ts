import { decodedText } from "./decoded-text.ts";

/**
 * The text that bytes of text (in base64) are: in the charset that the parameters of their address name (`charset=shift_jis`),
 * else in UTF-8; undefined where they are not, or where it is called something unknown. It goes on as UTF-8, so that whoever
 * gets it, and whoever looks at it on the way, reads what was meant.
 */
export function textOfBytes(data: string, parameters: readonly string[] = []): string | undefined {
  const charset = parameters.flatMap((one) => charsetIn.exec(one)?.[1]?.toLowerCase() ?? [])[0] ?? "utf-8";
  const bytes = Buffer.from(data, "base64");
  if (charset !== "utf-8" && charset !== "utf8") return decodedText(bytes, charset);
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").toString("base64") === data ? text : undefined;
}

const charsetIn = /^\s*charset\s*=\s*"?([^\s"]+)"?\s*$/i;
