import { onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { said } from "../../test/faults/vendor.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { supportPlugin } from "../../test/support/management.ts";
import { type Answering, type Received, startUpstream } from "../../test/support/upstream.ts";
import { type End, endOf } from "../realtime/testing.ts";

export type Event = Readonly<Record<string, unknown>> & { readonly response?: Readonly<Record<string, unknown>> };

const frames = said.openai.frames;

/** Answers in the chat format, as a stream. */
export const answers: Answering = (_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(frames.join(""));
};

/** What a vendor in the chat format was said: role and text. */
export const conversationIn = ({ body }: Received): string[] =>
  JSON.parse(`${body}`).messages.map(({ role, content }: { role: string; content: unknown }) => `${role}: ${content}`);

export const somebody = { "x-test-principal": JSON.stringify({ id: "K1" }) };

/** A gateway before a vendor in the chat format, which keeps no responses. */
export async function startSocketGateway(answering: Answering = answers, options: object = {}, plugins: object = {}) {
  const vendor = await startUpstream(answering);
  const folder = folderOfFile();
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        principal: supportPlugin(folder, "principal"),
        routing: { default: "oai" },
        "format-openai-chat": {},
        "format-openai-responses": {},
        "responses-socket": options,
        ...plugins,
      },
      providers: { oai: { use: "fireworks-ai", apiKey: "sk-of-the-vendor", baseUrl: vendor.url } },
    }),
    {},
    folder,
  );
  return { gateway, vendor };
}

export interface Client extends End {
  /** Asks for a response. */
  ask(input: unknown, more?: object): void;
  /** The events up to the end of a response, or the error in its place. */
  answer(): Promise<Event[]>;
}

export async function dial(
  { url }: { readonly url: string },
  headers: Record<string, string> = somebody,
  protocols: string[] = [],
  options: ClientOptions = {},
  path = "/v1/responses",
): Promise<Client> {
  const socket = new WebSocket(url.replace("http", "ws") + path, protocols, { headers, ...options });
  const end = endOf(socket);
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  onTestFinished(() => socket.terminate());
  return {
    ...end,
    ask: (input, more) => end.send({ type: "response.create", model: "m", store: false, input, ...more }),
    async answer() {
      const events: Event[] = [];
      for (;;) {
        const event = (await end.event()) as Event;
        events.push(event);
        if (/^(?:response\.(?:completed|failed|incomplete|steer\.failed)|error)$/.test(String(event.type)))
          return events;
      }
    },
  };
}
