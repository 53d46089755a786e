/** What goes wrong with a call, chosen by the name of its model. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: "slow" | "slow-first-token"; readonly milliseconds: number }
  | { readonly kind: "silence" | "reset" | "malformed-frame" | "no-done" }
  | { readonly kind: "stall" | "cut" | "end" | "error-event"; readonly after: number }
  | { readonly kind: "flaky"; readonly times: number };

type Reader = (first: number, second: number | undefined) => Fault;

const faults: readonly (readonly [RegExp, Reader])[] = [
  [
    /^status-([45]\d\d)(?:-retry-after-(\d+))?$/,
    (status, retryAfter) => ({ kind: "status", status, ...(retryAfter !== undefined && { retryAfter }) }),
  ],
  [/^slow-first-token-(\d+)$/, (milliseconds) => ({ kind: "slow-first-token", milliseconds })],
  [/^slow-(\d+)$/, (milliseconds) => ({ kind: "slow", milliseconds })],
  [/^silence$/, () => ({ kind: "silence" })],
  [/^reset$/, () => ({ kind: "reset" })],
  [/^malformed-frame$/, () => ({ kind: "malformed-frame" })],
  [/^no-done$/, () => ({ kind: "no-done" })],
  [/^stall-after-(\d+)$/, (after) => ({ kind: "stall", after })],
  [/^cut-after-(\d+)$/, (after) => ({ kind: "cut", after })],
  [/^end-after-(\d+)$/, (after) => ({ kind: "end", after })],
  [/^error-event-after-(\d+)$/, (after) => ({ kind: "error-event", after })],
  [/^flaky-(\d+)$/, (times) => ({ kind: "flaky", times })],
];

/** The fault a model stands for. A model may be named behind it: `fault-reset:small`. */
export function faultOf(model: string): Fault | "unknown" | undefined {
  if (!model.startsWith("fault-")) return undefined;
  const [name = ""] = model.slice("fault-".length).split(":", 1);
  for (const [pattern, read] of faults) {
    const found = pattern.exec(name);
    if (found) return read(Number(found[1]), found[2] === undefined ? undefined : Number(found[2]));
  }
  return "unknown";
}
