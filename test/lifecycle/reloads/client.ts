import { type IncomingHttpHeaders, request } from "node:http";
import { deferred } from "../../support/raw-upstream.ts";

/** A request of a client, on a connection of its own. */
export class Asked {
  /** Settles with the head of the answer; undefined where there comes none. */
  readonly head: Promise<number | undefined>;
  readonly over: Promise<void>;
  headers: IncomingHttpHeaders = {};
  status: number | undefined;
  text = "";
  /** The answer is all there. */
  whole = false;
  readonly cancel: () => void;

  constructor(url: string, headers: Record<string, string>, body: object) {
    const head = deferred<number | undefined>();
    const over = deferred<void>();
    this.head = head.promise;
    this.over = over.promise;
    const ended = () => {
      head.resolve(undefined);
      over.resolve();
    };
    const outgoing = request(`${url}/v1/chat/completions`, {
      method: "POST",
      agent: false,
      headers: { "content-type": "application/json", ...headers },
    });
    outgoing.on("response", (response) => {
      this.status = response.statusCode;
      this.headers = response.headers;
      head.resolve(response.statusCode);
      response.setEncoding("utf8").on("data", (text: string) => {
        this.text += text;
      });
      response.on("end", () => {
        this.whole = response.complete;
      });
      response.on("error", () => undefined);
      response.on("close", ended);
    });
    outgoing.on("error", ended);
    outgoing.end(JSON.stringify(body));
    this.cancel = () => outgoing.destroy();
  }

  /** The config that answered, by the beginning of its headers' names. */
  get answeredBy(): string | undefined {
    return Object.keys(this.headers).flatMap((name) => /^x-(g\d+)-request-id$/.exec(name)?.[1] ?? [])[0];
  }

  /** What the vendor said; undefined where that is not there, or not all of it. */
  get said(): { readonly path: string; readonly as: string; readonly user?: string } | undefined {
    const content = this.headers["content-type"]?.startsWith("text/event-stream") ? this.#streamed : this.#message;
    return content === "" ? undefined : JSON.parse(content);
  }

  get #streamed(): string {
    return [...this.text.matchAll(/^data: (\{.*)$/gm)]
      .map(([, frame = ""]) => JSON.parse(frame).choices?.[0]?.delta?.content ?? "")
      .join("");
  }

  get #message(): string {
    return this.status === 200 && this.whole ? JSON.parse(this.text).choices[0].message.content : "";
  }
}
