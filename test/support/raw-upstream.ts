import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A vendor that is shown requests as they arrive, before their bodies are there. Ends with the test; gives its URL. */
export async function startRawUpstream(
  answer: (incoming: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((incoming, response) => {
    // A call that is given up is what some tests are about: it must not end them.
    incoming.on("error", () => undefined);
    answer(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A promise, and what settles it. */
export function deferred<Value>(): { readonly promise: Promise<Value>; readonly resolve: (value: Value) => void } {
  let settle: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}
