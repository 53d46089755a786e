/** The clocks of one attempt, in milliseconds. Absent is the next wider setting (server, then none). */
export interface Clocks {
  /** Until a connection is there. */
  readonly connect?: number;
  /** From the connection until the status line. */
  readonly headers?: number;
  /** From the start of the attempt until the first frame of a stream. */
  readonly firstToken?: number;
  /** Between two pieces of an answer. */
  readonly idle?: number;
  /** The whole attempt: of a stream, until its first frame (routing-config.md section 9). */
  readonly total?: number;
}
