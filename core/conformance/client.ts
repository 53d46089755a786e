import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

/** An answer as a client got it. */
export interface ClientAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The connection ended before the answer did. */
  readonly broken: boolean;
}

export interface ClientCall {
  readonly answer: Promise<ClientAnswer>;
  /** Resolves with the first bytes of the body. */
  readonly begun: Promise<void>;
  /** The client goes away. */
  leave(): void;
}

/** Sends a JSON body, on a connection of its own. `milliseconds` is how long the whole may take. */
export function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  milliseconds: number,
): ClientCall {
  const sent: ClientRequest = request(url, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json", ...headers },
    signal: AbortSignal.timeout(milliseconds),
  });
  const arrived = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", (cause) => reject(new Error(`no answer: ${reasonOf(cause, milliseconds)}`)));
  });
  const answer = arrived.then((response) => collected(response));
  const begun = arrived.then((response) => new Promise<void>((resolve) => response.once("data", () => resolve())));
  answer.catch(ignored);
  begun.catch(ignored);
  sent.end(JSON.stringify(body));
  return { answer, begun, leave: () => void sent.destroy() };
}

const reasonOf = (cause: Error, milliseconds: number): string =>
  cause.name === "TimeoutError" || cause.name === "AbortError" ? `none within ${milliseconds} ms` : cause.message;

const collected = (response: IncomingMessage): Promise<ClientAnswer> =>
  new Promise((resolve) => {
    const pieces: Buffer[] = [];
    response.on("data", (piece: Buffer) => pieces.push(piece));
    response.on("error", ignored);
    response.on("close", () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        bytes: Buffer.concat(pieces),
        broken: !response.complete,
      }),
    );
  });

function ignored(): void {}
