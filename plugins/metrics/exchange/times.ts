import type { Attempt, Exchange } from "../../../core/index.ts";

/** Milliseconds from one moment to another; undefined where either is not known. */
const between = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : Math.max(0, to - from);

/** The provider's part of an attempt, from the call to the last byte of the answer. */
export const callTime = ({ sentAt, endedAt }: Attempt): number | undefined => between(sentAt, endedAt);

/** From the first byte of the provider's answer to the last. */
export const lastByteTime = ({ firstByteAt, endedAt }: Attempt): number | undefined => between(firstByteAt, endedAt);

/** From the moment all of the request was there to the first call of a provider. */
export const timeBefore = ({ attempts, authenticatedAt, bodyReadAt }: Exchange): number | undefined =>
  between(bodyReadAt ?? authenticatedAt, attempts.find(wasSent)?.sentAt);

/** From the provider's last byte to the client's. */
export const timeAfter = ({ endedAt }: Exchange, answering: Attempt | undefined): number | undefined =>
  answering?.sentAt === undefined ? undefined : between(answering.endedAt, endedAt);

/**
 * What the gateway itself took: all that no provider did, that was no wait before a retry and no wait for the client's
 * body. Attempts side by side are waited for together, and count once.
 */
export function ownTime({ attempts, authenticatedAt, bodyReadAt, endedAt }: Exchange): number | undefined {
  if (endedAt === undefined) return undefined;
  let others = between(authenticatedAt, bodyReadAt) ?? 0;
  let until = 0;
  for (const { sentAt, endedAt: end, target } of attempts) {
    others += target.delayMs ?? 0;
    if (sentAt === undefined) continue;
    if (end === undefined) return undefined;
    others += Math.max(0, end - Math.max(sentAt, until));
    until = Math.max(until, end);
  }
  return Math.max(0, endedAt - others);
}

const wasSent = ({ sentAt }: Attempt): boolean => sentAt !== undefined;
