import { type ChatRequest, type NativeOnly, refuseNative } from "../../../core/index.ts";
import { formatName } from "../fields.ts";

/**
 * Fields without which a request would be another one. A conversation that its vendor holds (`thread`) is told in its last messages only:
 * clients are told so in the vendor's words, at which its own ones send the whole. One that is to be compacted (`compaction`) is not to
 * be answered, and what comes of it only the vendor can write and read ("the response holds only the resulting `compaction` block").
 */
const native: Readonly<Record<string, Omit<NativeOnly, "param">>> = {
  thread: {
    remedy: "send the whole conversation in messages",
    details: { error_code: "thread_unsupported_request" },
  },
  compaction: { remedy: "have the conversation summed up in words" },
};

export function refuseElsewhere({ extra }: ChatRequest): void {
  if (extra?.format !== formatName) return;
  for (const [param, more] of Object.entries(native))
    if ((extra.fields[param] ?? undefined) !== undefined) refuseNative("the Messages API", { param, ...more });
}
