import { Client, type Dispatcher } from "undici";
import type { Scenario } from "./scenarios.ts";

/** Milliseconds each request took, in the order they ended. */
export interface LoadResult {
  readonly latencies: readonly number[];
  readonly milliseconds: number;
}

/** Sends the requests of a scenario, always `concurrency` at once, each on a connection of its own. */
export async function load(port: number, path: string, scenario: Scenario): Promise<LoadResult> {
  const { requests, concurrency, bodies } = scenario;
  const latencies: number[] = [];
  let next = 0;
  const began = performance.now();
  const worker = async () => {
    const client = new Client(`http://127.0.0.1:${port}`, { headersTimeout: 60_000, bodyTimeout: 60_000 });
    while (next < requests) {
      const body = bodies[next++ % bodies.length];
      const sent = performance.now();
      await once(client, path, body);
      latencies.push(performance.now() - sent);
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { latencies, milliseconds: performance.now() - began };
}

function once(client: Client, path: string, body: Buffer | undefined): Promise<void> {
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
      { path, method: "POST", headers: { "content-type": "application/json" }, body: body ?? null },
      handler,
    );
  });
}
