import type { OpenApiDocument, OperationObject } from "./document.ts";

/** A page that lists what can be called: plain HTML without a line of script. */
export function page({ paths, tags }: OpenApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => ({ path, method, call })),
  );
  const sections = tags.map(({ name }) => {
    const own = rows.filter(({ call }) => call.tags.includes(name));
    return `<section id="${escaped(name)}"><h2>${escaped(name)}</h2>${own.map(shown).join("")}</section>`;
  });
  const links = tags.map(({ name }) => `<a href="#${escaped(name)}">${escaped(name)}</a>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sluice API</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>
<header><h1>Sluice API</h1><p>${rows.length} calls. The same as a document: <a href="openapi.json">openapi.json</a></p></header>
<nav>${links.join(" ")}</nav><main>${sections.join("")}</main></body></html>`;
}

function shown({
  path,
  method,
  call,
}: {
  readonly path: string;
  readonly method: string;
  readonly call: OperationObject;
}): string {
  const { summary, description = "", parameters, requestBody, responses } = call;
  const parts = [
    ["Parameters", parameters],
    ["Body", (requestBody as { content?: unknown } | undefined)?.content],
    ["Answer", (responses as { 200: { content: unknown } })[200].content],
  ] as const;
  const details = parts
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([title, value]) => `<h3>${title}</h3><pre>${escaped(JSON.stringify(value, undefined, 2))}</pre>`);
  return `<details><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escaped(path)}</code> ${escaped(summary)}</summary>
<p>${escaped(String(description))}</p>${details.join("")}</details>`;
}

const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;color:#1b2733;background:#fff}
h1{margin-bottom:0}h2{margin:2rem 0 .5rem;border-bottom:1px solid #d5dce3}h3{margin:.5rem 0 0;font-size:1rem}
nav a{margin-right:.5rem}details{border:1px solid #d5dce3;border-radius:6px;margin:.3rem 0;padding:.3rem .6rem}
summary{cursor:pointer}b{display:inline-block;min-width:4rem;font:600 .8rem ui-monospace,monospace}
.get{color:#0b6e4f}.post{color:#1d4ed8}.put{color:#92570b}.delete{color:#b3261e}code{font:.9rem ui-monospace,monospace}
pre{background:#f4f6f8;padding:.6rem;overflow:auto;font-size:.8rem;border-radius:4px}
@media(prefers-color-scheme:dark){body{background:#12181f;color:#dbe4ec}pre{background:#1b242d}details,h2{border-color:#33414e}
a{color:#7db3ff}.get{color:#5cc9a7}.post{color:#8fb1ff}.put{color:#e0b36a}.delete{color:#ff8f87}}`;
