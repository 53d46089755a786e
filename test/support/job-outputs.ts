import { lines } from "./procedures.ts";

/** A line that was answered: 1000 tokens in and 100 out are 0.12 cents, in a batch 0.06. */
export const usedByLine = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
const answered = (id: string, more: object = { usage: usedByLine }, model = "priced") => ({
  custom_id: id,
  response: { status_code: 200, body: { model, choices: [], ...more } },
  error: null,
});
const failed = { custom_id: "x", response: { status_code: 400, body: { error: { message: "no" } } }, error: null };
const cut = { custom_id: "y", response: null, error: { code: "batch_expired", message: "late" } };

/** The output of each job, by its id. */
export const jobOutputs: Readonly<Record<string, string>> = {
  plain: lines(answered("a"), answered("b"), failed, cut),
  again: lines(answered("a")),
  long: lines(
    answered("a", { usage: { ...usedByLine, prompt_tokens: 150_000 } }, "by-length"),
    answered("b", { usage: { ...usedByLine, prompt_tokens: 150_000 } }, "by-length"),
  ),
  silent: lines(answered("a"), answered("b", {})),
  failing: lines(failed, cut),
  packed: lines(answered("a")),
  file: lines(answered("a")),
  "no-newline": lines(answered("a")).trimEnd(),
  breaking: lines(answered("a"), answered("b")),
  mixed: lines(answered("a"), answered("b", { usage: usedByLine }, "nobody-knows")),
};

const counted = {
  status: "completed",
  model: "priced",
  request_counts: { total: 2, completed: 2, failed: 0 },
  usage: { input_tokens: 2000, output_tokens: 200, total_tokens: 2200 },
};
/** What is said of a job beyond its output. */
export const jobsSaid: Readonly<Record<string, object>> = {
  counted,
  "counted-and-read": counted,
  running: { ...counted, status: "in_progress" },
  "counted-by-length": { ...counted, model: "by-length", usage: { input_tokens: 300_000, output_tokens: 200 } },
  zero: { ...counted, usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } },
};
