import type { Counted, Series, Shape } from "./family.ts";

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

type Labels = readonly (readonly [name: string, value: string])[];

/** Series that are written in one turn of the event loop: there may be many of them, and requests wait meanwhile. */
const perTurn = 100;

/** Metrics as Prometheus reads them (text format 0.0.4). */
export async function exposition(all: readonly Counted[], shared: Labels): Promise<string> {
  const first = shared.map(pair).join("");
  let text = "";
  let written = 0;
  for (const { shape, series } of all) {
    const { name, help, type, labels } = shape;
    if (series.length > 0) text += `# HELP ${name} ${help.replace(/[\\\n]/g, escaped)}\n# TYPE ${name} ${type}\n`;
    for (const one of series) {
      const own = labels.map((label, at) => pair([label, one.values[at] ?? ""])).join("");
      text += seriesText(shape, one, first + own);
      if (++written % perTurn === 0) await new Promise(setImmediate);
    }
  }
  return text;
}

/** `pairs` end with a comma each, which the format allows at the end of a list too. */
function seriesText({ name, buckets }: Shape, { sum, counts }: Series, pairs: string): string {
  const plain = pairs === "" ? "" : `{${pairs.slice(0, -1)}}`;
  if (!buckets || !counts) return `${name}${plain} ${sum}\n`;
  let total = 0;
  let text = "";
  for (let at = 0; at <= buckets.length; at++) {
    total += counts[at] ?? 0;
    text += `${name}_bucket{${pairs}le="${buckets[at] ?? "+Inf"}"} ${total}\n`;
  }
  return `${text}${name}_sum${plain} ${sum}\n${name}_count${plain} ${total}\n`;
}

const pair = ([name, value]: Labels[number]): string => `${name}="${value.replace(/[\\"\n]/g, escaped)}",`;

const escaped = (character: string): string => (character === "\n" ? "\\n" : `\\${character}`);
