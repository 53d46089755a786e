import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One call of a faulty vendor. */
export interface Call {
  readonly response: ServerResponse;
  readonly incoming: IncomingMessage;
  readonly stream: boolean;
  /** Text completions instead of chat. */
  readonly text: boolean;
  /** Which call of this model it is, from 1. */
  readonly count: number;
}

export type Behaviour = (call: Call) => void;

const sse = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const frame = (call: Call, said: string, finish_reason: string | null = null) =>
  call.text
    ? sse({
        id: "c",
        object: "text_completion",
        created: 1,
        model: "m",
        choices: [{ index: 0, text: said, logprobs: null, finish_reason }],
      })
    : sse({
        id: "c",
        object: "chat.completion.chunk",
        created: 1,
        model: "m",
        choices: [{ index: 0, delta: { content: said }, finish_reason }],
      });
const whole = (call: Call, said: string) =>
  JSON.stringify({
    id: "c",
    object: call.text ? "text_completion" : "chat.completion",
    created: 1,
    model: "m",
    choices: [
      call.text
        ? { index: 0, text: said, logprobs: null, finish_reason: "stop" }
        : { index: 0, message: { role: "assistant", content: said }, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });

const head = ({ response, stream }: Call) =>
  response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });

export const well =
  (said = "all of it"): Behaviour =>
  (call) => {
    head(call);
    const { response, stream } = call;
    response.end(stream ? `${frame(call, said)}${frame(call, "", "stop")}data: [DONE]\n\n` : whole(call, said));
  };

export const refusing =
  (status: number, code: string, headers: Record<string, string> = {}): Behaviour =>
  ({ response }) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message: "No.", type: "invalid_request_error", code, param: null } }));
  };

/** Fails its first calls in one way, and the rest not at all. */
export const first =
  (times: number, failing: Behaviour): Behaviour =>
  (call) =>
    (call.count <= times ? failing : well())(call);

/** Every other call. */
export const flapping =
  (failing: Behaviour): Behaviour =>
  (call) =>
    (call.count % 2 === 1 ? failing : well())(call);

export const reset: Behaviour = ({ incoming }) => void incoming.socket.resetAndDestroy();
export const silent: Behaviour = () => undefined;

/** The headers come, and nothing else. */
export const slowFirstToken: Behaviour = (call) => head(call).flushHeaders();

/** Half of an answer. */
const begun = (call: Call): ServerResponse => {
  const { response, stream } = call;
  head(call);
  response.write(stream ? frame(call, "half ") : whole(call, "half").slice(0, 60));
  return response;
};
export const stalling: Behaviour = (call) => void begun(call);
export const cut: Behaviour = (call) => {
  const response = begun(call);
  response.write("", () => response.destroy());
};
/** An orderly end of something that is not over. */
export const withoutTerminator: Behaviour = (call) => void begun(call).end();

export const malformed: Behaviour = (call) => {
  const { response, stream } = call;
  head(call);
  if (!stream) return void response.end('{"choices": nonsense');
  response.end(
    `${frame(call, "all ")}data: {"cho\n\n${frame(call, "of it")}${frame(call, "", "stop")}data: [DONE]\n\n`,
  );
};

export interface MatrixVendor {
  readonly url: string;
  /** Calls of `/alpha` and `/beta` for a model. */
  calls(model: string): { alpha: number; beta: number };
  close(): void;
}

/** Two vendors on one socket: `/alpha` behaves as the model asked for says, `/beta` well. */
export async function startMatrixVendor(behaviours: Readonly<Record<string, Behaviour>>): Promise<MatrixVendor> {
  const counts = new Map<string, { alpha: number; beta: number }>();
  const server: Server = createServer((incoming, response) => {
    let body = "";
    incoming.on("error", () => undefined);
    incoming.on("data", (bytes) => {
      body += bytes;
    });
    incoming.on("end", () => {
      const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean };
      const side = incoming.url?.startsWith("/alpha/") ? "alpha" : "beta";
      const count = counts.get(model) ?? { alpha: 0, beta: 0 };
      count[side]++;
      counts.set(model, count);
      const text = !incoming.url?.includes("/chat/");
      const behaviour = side === "alpha" ? behaviours[model.split("/")[0] ?? ""] : well("from beta");
      behaviour?.({ response, incoming, stream: stream === true, text, count: count[side] });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: (model) => counts.get(model) ?? { alpha: 0, beta: 0 },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
