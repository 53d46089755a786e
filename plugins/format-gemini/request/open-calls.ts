/** A call whose result has not been seen yet. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
  isOpen: boolean;
}

/** Calls in the order they were made; those in front are answered mostly. */
interface Queue {
  readonly calls: OpenCall[];
  from: number;
}

/** The calls of a conversation that no result has answered so far. */
export class OpenCalls {
  readonly #byId = new Map<string, Queue>();
  readonly #byName = new Map<string, Queue>();

  add(id: string, name: string): void {
    const call = { id, name, isOpen: true };
    queueOf(this.#byId, id).calls.push(call);
    queueOf(this.#byName, name).calls.push(call);
  }

  /** The call a result answers, which is open no more: the one it names, else the oldest open one of its function. */
  take(id: string | undefined, name: string | undefined): Readonly<Pick<OpenCall, "id" | "name">> | undefined {
    const named = name === undefined ? undefined : this.#byName.get(name);
    const queue = id ? this.#byId.get(id) : named;
    for (; queue && queue.from < queue.calls.length; queue.from++) {
      const call = queue.calls[queue.from];
      if (!call?.isOpen) continue;
      call.isOpen = false;
      return call;
    }
    return undefined;
  }
}

function queueOf(queues: Map<string, Queue>, key: string): Queue {
  const known = queues.get(key);
  if (known) return known;
  const queue = { calls: [], from: 0 };
  queues.set(key, queue);
  return queue;
}
