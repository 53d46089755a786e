/** What harnesses of agents put around their tools' and their own words, as tags. */
const wrappers = ["system-reminder", "mcp-instructions", "mcp-server-instructions"] as const;

/** A text without the blocks a harness of agents adds; a block that is not closed stays. */
export function withoutScaffolding(text: string): string {
  let left = text;
  for (const name of wrappers) left = without(left, `<${name}>`, `</${name}>`);
  return left === text ? text : left.trim();
}

function without(text: string, opening: string, closing: string): string {
  let out = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf(opening, at);
    const end = start < 0 ? -1 : text.indexOf(closing, start);
    if (end < 0) return out + text.slice(at);
    out += text.slice(at, start);
    at = end + closing.length;
  }
}
