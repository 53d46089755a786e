/** Sees the bytes of an answer that nobody else reads, each after the client was given it. It must not change them. */
export interface Witness {
  see(bytes: Buffer): void;
  /** The client has all of it, or (`whole` is false) it broke off. Waiting here holds up the settling, not the client. */
  end(whole: boolean): void | Promise<void>;
}
