import { openAiResponses } from "./openai-responses.ts";
import { Refusal, recordsIn, textIn, type Wire } from "./wire.ts";

/** Requests that are kept, and the bytes of their bodies together: what a new user tries out, and an end to what a long run would collect. */
const most = { requests: 100, bytes: 16 * 1024 * 1024 };

interface Made {
  readonly wire: Wire;
  readonly digest: string;
  readonly bytes: number;
}

/** Answers of the Responses API that may be asked for again. The request is kept: it has the same answer as ever. */
export class Responses {
  readonly #made = new Map<string, Made>();
  #bytes = 0;

  keep(wire: Wire, digest: string, bytes: number): void {
    if (wire.store === false || bytes > most.bytes) return;
    const id = `resp_${digest.slice(0, 24)}`;
    this.#forget(id);
    this.#made.set(id, { wire, digest, bytes });
    this.#bytes += bytes;
    for (const [oldest] of this.#made) {
      if (this.#made.size <= most.requests && this.#bytes <= most.bytes) break;
      this.#forget(oldest);
    }
  }

  find(id: string): Wire {
    const { wire, digest } = this.#of(id);
    const reply = openAiResponses.reply({ ...wire, stream: false }, digest);
    return "whole" in reply ? reply.whole : {};
  }

  /** What the answer was asked with, each with an id, the last of it first unless `order` is `asc`. */
  inputItems(id: string, order: string | null): Wire[] {
    const { wire, digest } = this.#of(id);
    const given = typeof wire.input === "string" ? [{ role: "user", content: wire.input }] : recordsIn(wire.input);
    const items = given.map((item, at) => {
      const said = typeof item.content === "string" ? [{ type: "input_text", text: item.content }] : item.content;
      const isMessage = textIn(item.role) !== "";
      return {
        id: `${isMessage ? "msg" : "item"}_${digest.slice(0, 20)}in${at}`,
        ...(isMessage && { type: "message", status: "completed" }),
        ...item,
        ...(isMessage && { content: said }),
      };
    });
    return order === "asc" ? items : items.reverse();
  }

  remove(id: string): true {
    this.#of(id);
    return this.#forget(id);
  }

  /** All of them were answered at once. */
  cancel(id: string): never {
    this.#of(id);
    throw new Refusal(400, "Cannot cancel a synchronous response.");
  }

  #of(id: string): Made {
    const made = this.#made.get(id);
    if (!made) throw new Refusal(404, `Response with id '${id}' not found.`);
    return made;
  }

  #forget(id: string): true {
    this.#bytes -= this.#made.get(id)?.bytes ?? 0;
    this.#made.delete(id);
    return true;
  }
}
