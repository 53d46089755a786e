import { framesWithout } from "../../http/sse/frames.ts";
import type { StreamUsage } from "../../model/format.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";
import type { Prepared } from "../request/prepared.ts";
import { framingRules } from "./framing.ts";
import type { StreamWork } from "./stream-work.ts";

/** How a vendor is asked for the usage of a stream on behalf of the gateway; undefined where it is not. */
export function askingFor(
  { upstream, stream, translated }: Pick<Prepared, "upstream" | "stream" | "translated">,
  { whole, drops, dropsOfOwn }: OperationSpec,
): StreamUsage | undefined {
  const { streamUsage } = upstream;
  // A translation asks anyway: clients of another format are told.
  if (!streamUsage || !stream || translated || whole) return undefined;
  const { member } = streamUsage;
  return drops?.includes(member) || dropsOfOwn?.includes(member) ? undefined : streamUsage;
}

/** The same stream without what is in it because the gateway asked. What it used is known all the same. */
export function hidingUsage(work: StreamWork, { isOnlyUsage, mark }: StreamUsage): StreamWork {
  const rules = framingRules("sse");
  const shown = (out: Buffer | string): Buffer | string => {
    if (!out.includes(mark)) return out;
    return framesWithout(Buffer.from(out), (frame) => rules.events(frame).some(isOnlyUsage));
  };
  const { push, end } = work;
  return Object.assign(work, {
    push: (bytes: Buffer) => shown(push(bytes)),
    end: () => {
      const closing = end();
      return Object.assign(closing, { out: shown(closing.out) });
    },
  });
}
