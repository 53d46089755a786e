import { setImmediate } from "node:timers";

/** Lets everybody else have their turn: what takes long while a gateway answers is done in pieces. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
