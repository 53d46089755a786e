import { tooLarge } from "../reply/collect.ts";
import type { StreamWork } from "./stream-work.ts";

/** The same stream, for as long as no more than so many bytes of it have come; then it is a failure (operations.md section 9.6). */
export function bounded(work: StreamWork, limit: number): StreamWork {
  const push = work.push.bind(work);
  let length = 0;
  return Object.assign(work, {
    push(bytes: Buffer) {
      length += bytes.length;
      if (length > limit) throw tooLarge(limit);
      return push(bytes);
    },
  });
}
