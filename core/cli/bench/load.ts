import { Client, type Dispatcher } from "undici";
import type { Ask } from "./formats.ts";
import { type Scenario, type Subject, stamp } from "./scenarios.ts";

/** Milliseconds each request took, in the order they ended. */
export interface LoadResult {
  readonly latencies: readonly number[];
  readonly milliseconds: number;
}

/**
 * Sends the requests of a scenario, always `concurrency` at once, each on a connection of its own. Nobody sleeps meanwhile:
 * who writes to a socket pays for waking the process that waits for it (3 to 4 microseconds here), where that is on the same
 * machine. The relay keeps its clients busy, and a gateway that takes longer has to wake them for every answer (decision 0071).
 */
export async function load(
  port: number,
  { unique }: Subject,
  scenario: Scenario,
  headers: Readonly<Record<string, string>> = {},
): Promise<LoadResult> {
  const { requests, concurrency, asks } = scenario;
  const latencies: number[] = [];
  let next = 0;
  const sleep = stayAwake();
  const began = performance.now();
  const worker = async () => {
    const client = new Client(`http://127.0.0.1:${port}`, { headersTimeout: 60_000, bodyTimeout: 60_000 });
    while (next < requests) {
      const ask = asks[next++ % asks.length] as Ask;
      const sent = performance.now();
      await once(client, ask.path, unique ? stamped(ask.body) : ask.body, headers);
      latencies.push(performance.now() - sent);
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: concurrency }, worker)).finally(sleep);
  return { latencies, milliseconds: performance.now() - began };
}

/** The event loop does not wait, it looks again. Until what is returned is called. */
function stayAwake(): () => void {
  let turn = setImmediate(function next() {
    turn = setImmediate(next);
  });
  return () => clearImmediate(turn);
}

let sentSoFar = 0;

/** A body like no other: the number in it is written over. */
function stamped(body: Buffer): Buffer {
  const own = Buffer.from(body);
  own.write(String(++sentSoFar).padStart(8, "0"), own.indexOf(stamp) + stamp.length - 8, "latin1");
  return own;
}

function once(client: Client, path: string, body: Buffer, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_, code) {
        status = code;
      },
      onResponseData() {},
      onResponseEnd() {
        if (status === 200) resolve();
        else reject(new Error(`the bench was answered with ${status}`));
      },
      onResponseError(_, error) {
        reject(error);
      },
    };
    client.dispatch(
      { path, method: "POST", headers: { "content-type": "application/json", ...headers }, body },
      handler,
    );
  });
}
