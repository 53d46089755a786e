import type { ServerResponse } from "node:http";
import { json, startUpstream, type TestUpstream } from "../../support/upstream.ts";

/** A call that waits for its answer. */
export interface Held {
  readonly ask: string;
  /** Answers, or ends the stream, as it is told to. */
  go(): void;
  readonly left: boolean;
}

interface Body {
  readonly stream?: boolean;
  readonly user?: string;
  readonly messages: readonly [{ readonly content: string }];
}

/** Says whom it was called as, and waits where the question says `hold`, fails where it says `fail`. */
export class Vendor {
  readonly held: Held[] = [];
  readonly calls: { readonly ask: string; readonly path: string }[] = [];
  upstream!: TestUpstream;

  async start(): Promise<void> {
    this.upstream = await startUpstream(({ url, headers, body }, response) => {
      const { stream = false, user, messages } = JSON.parse(`${body}`) as Body;
      const [{ content: question }] = messages;
      const ask = /#\d+/.exec(question)?.[0] ?? "";
      const [, provider, base] = url.split("/");
      this.calls.push({ ask, path: `${provider}/${base}` });
      if (question.includes("fail") && provider === "one") return json(response, 500, { error: { message: "No." } });
      const content = JSON.stringify({ path: `${provider}/${base}`, as: headers.authorization, user });
      if (stream) begin(response);
      const go = () => (stream ? finish(response, content) : json(response, 200, whole(content)));
      if (!question.includes("hold")) return go();
      this.held.push({
        ask,
        go,
        get left() {
          return response.destroyed;
        },
      });
    });
  }

  /** Lets a call go on that waits. */
  proceed(at: number): void {
    this.held.splice(at % Math.max(this.held.length, 1), 1)[0]?.go();
  }

  proceedAll(): void {
    for (const { go } of this.held.splice(0)) go();
  }
}

const whole = (content: string) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const frame = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(frame({ role: "assistant", content: "" }));
}

const finish = (response: ServerResponse, content: string) =>
  response.end(`${frame({ content })}${frame({}, "stop")}data: [DONE]\n\n`);
