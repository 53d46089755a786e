/** Bytes of a reason at most (RFC 6455, section 5.5). */
const most = 123;

/** What a socket is closed for, as its closing frame may say it. */
export const closeReason = (message: string): string => message.replace(/[^\x20-\x7e]/g, "?").slice(0, most);
