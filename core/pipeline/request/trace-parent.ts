/** Where a trace is continued. */
export interface TraceParent {
  /** 32 hexadecimal characters. */
  readonly trace: string;
  /** 16 hexadecimal characters. */
  readonly parent: string;
}

/** Ids of nothing but zeros are none. */
const written = /^([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/** What a W3C `traceparent` says; undefined where it is not valid, which is as if it were not there. */
export function traceParent(header: string | string[] | undefined): TraceParent | undefined {
  const [, version, trace, parent, more] = (typeof header === "string" && written.exec(header)) || [];
  // There is no version ff, and the one that is known ends with its flags.
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  return trace !== undefined && parent !== undefined ? { trace, parent } : undefined;
}
