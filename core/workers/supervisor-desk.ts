import cluster from "node:cluster";
import { errorMessage } from "../errors/error-message.ts";

/** What a worker asks its supervisor: all of one turn of the event loop together. */
export interface Asked {
  readonly asked: readonly { readonly number: number; readonly topic: string; readonly question: unknown }[];
}

/** The answers to one such message, in the order they were ready. */
export interface Answered {
  readonly answered: readonly { readonly number: number; readonly answer?: unknown; readonly refused?: string }[];
}

/** Where a worker asks its supervisor, which all workers of the machine share. */
export interface SupervisorDesk {
  /** False where there is no supervisor, or none any more. */
  readonly open: boolean;
  /** Asks in JSON and is answered in JSON. Rejects where the supervisor refuses, is gone, or knows nothing of the topic. */
  ask(topic: string, question: unknown): Promise<unknown>;
}

/** A process as far as questions go. */
export interface DeskPort {
  readonly connected: boolean;
  send?(message: unknown, handle: undefined, options: object, sent: (error: Error | null) => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "disconnect", listener: () => void): unknown;
}

/** What the supervisor answers, by topic. Throwing refuses, and the message is passed on. */
export type Clerks = Readonly<Record<string, (question: unknown) => unknown>>;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The desk over one port. */
export function deskOver(port: DeskPort | undefined): SupervisorDesk {
  const waiting = new Map<number, Waiting>();
  let listening = false;
  let last = 0;
  let batch: Asked["asked"][number][] = [];
  const take = (number: number): Waiting | undefined => {
    const found = waiting.get(number);
    waiting.delete(number);
    return found;
  };
  const arrived = (message: unknown) => {
    if (!isAnswered(message)) return;
    for (const { number, answer, refused } of message.answered) {
      if (refused === undefined) take(number)?.resolve(answer);
      else take(number)?.reject(new Error(refused));
    }
  };
  const gone = () => {
    for (const number of [...waiting.keys()]) take(number)?.reject(new Error("The supervisor is gone."));
  };
  const listen = () => {
    listening = true;
    port?.on("message", arrived);
    port?.on("disconnect", gone);
  };
  const flush = () => {
    const asked = batch;
    batch = [];
    const failed = (error: Error | null) => {
      if (error) for (const { number } of asked) take(number)?.reject(error);
    };
    if (port?.connected) port.send?.({ asked } satisfies Asked, undefined, {}, failed);
    else failed(new Error("The supervisor is gone."));
  };
  return {
    get open() {
      return port?.connected === true;
    },
    ask(topic, question) {
      if (!listening) listen();
      return new Promise((resolve, reject) => {
        const number = ++last;
        waiting.set(number, { resolve, reject });
        // What other requests ask in this turn goes along: a message costs more than what is in it.
        if (batch.push({ number, topic, question }) === 1) setImmediate(flush);
      });
    },
  };
}

/** Answers one message of a worker. */
export const answersOf = (clerks: Clerks, { asked }: Asked): Answered => ({
  answered: asked.map(({ number, topic, question }) => {
    try {
      const clerk = Object.hasOwn(clerks, topic) ? clerks[topic] : undefined;
      if (!clerk) throw new Error(`The supervisor knows nothing of "${topic}".`);
      return { number, answer: clerk(question) };
    } catch (error) {
      return { number, refused: errorMessage(error) };
    }
  }),
});

export const isAsked = (message: unknown): message is Asked =>
  typeof message === "object" && message !== null && "asked" in message && Array.isArray(message.asked);

const isAnswered = (message: unknown): message is Answered =>
  typeof message === "object" && message !== null && "answered" in message && Array.isArray(message.answered);

/** Of this process. */
export const supervisorDesk: SupervisorDesk = deskOver(cluster.isWorker ? process : undefined);
