import { StringDecoder } from "node:string_decoder";

/**
 * The lines of a stream, as NDJSON has them: between line feeds and nothing else. `node:readline` also ends lines at the
 * separators U+2028 and U+2029 on newer versions of Node, and those may stand inside JSON.
 */
export async function* linesOf(input: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const piece of input) {
    const lines = (rest + (typeof piece === "string" ? piece : decoder.write(piece))).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}
