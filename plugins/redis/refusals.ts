/**
 * What a Redis answers that is there and takes nothing: it is full, a replica since another one became the primary, not able
 * to save, without the replicas it needs, or still reading its file. Where a script was the one refused, versions before 7
 * say so behind a text of their own.
 */
const refusal = /(?:^|: -)(OOM|READONLY|MISCONF|NOREPLICAS|LOADING|MASTERDOWN) /;

/** The code of an error by which Redis refuses whatever is to be kept; undefined of every other error. */
export const refusalIn = (message: string): string | undefined => refusal.exec(message)?.[1];
