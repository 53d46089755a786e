import { serviceToken } from "../service-token.ts";

/**
 * Tells the other processes of this deployment something: workers of this machine, and with a shared bus other machines.
 * Messages arrive once or not at all, in the order one sender sent them; nothing is kept for who is not there.
 * Neither method throws; while the bus is down messages are lost.
 */
export interface BusService {
  /** Sends JSON to all other subscribers of the topic; the sender's own are not told. */
  publish(topic: string, message: unknown): void;
  /** What is returned unsubscribes. Messages come from processes of the same version or another: check their shape. */
  subscribe(topic: string, listener: (message: unknown) => void): () => void;
}

/** How processes of one deployment keep each other up to date. */
export const Bus = serviceToken<BusService>("bus");
