import fc from "fast-check";
import { expect, it } from "vitest";
import { chance } from "../support/chance.ts";
import { type Caller, startManagement } from "../support/management.ts";
import { json, startUpstream } from "../support/upstream.ts";
import { chatAnswer, Standing } from "./standing.ts";

const kinds = ["ask", "ask", "ask", "answer", "answer", "edit", "rewrite", "drop", "settle"] as const;
type Kind = (typeof kinds)[number];
const steps = fc.array(fc.constantFrom(...kinds), { minLength: 10, maxLength: 40, size: "max" });

/** A vendor of two hosts that refuses each request once, and then answers it. */
async function startVendor(at: { standing: Standing }): Promise<string> {
  const { url } = await startUpstream(({ url: path, body }, response) => {
    const { model, messages } = JSON.parse(body.toString());
    at.standing.called(messages[0].content, `${model} at ${path.split("/")[1]}`, (call) =>
      call === 1 ? json(response, 500, { error: { message: "No." } }) : json(response, 200, chatAnswer(model)),
    );
  });
  return url;
}

const hostOf = (version: number) => (version % 2 === 0 ? "even" : "odd");

/** A saved config whose targets name a prompt, which names its provider: either is edited, and the prompt deleted and made anew. */
class Nested {
  static #versions = 0;
  readonly standing = new Standing();
  readonly #own: Caller;
  readonly #collection: string;
  #config = "";
  #prompt = { id: "", slug: "" };

  constructor(own: Caller, collection: string) {
    this.#own = own;
    this.#collection = collection;
  }

  async take(kind: Kind): Promise<void> {
    const { standing } = this;
    if (kind === "ask") standing.ask("c", (user) => this.#ask(user));
    else if (kind === "answer") standing.answerOne();
    else await standing.change(async () => kind !== "settle" && this[kind]());
    await standing.goOn();
  }

  async make(): Promise<void> {
    const version = ++Nested.#versions;
    await this.standing.become("c", version, async () => {
      this.#prompt = await this.#write(version);
      this.#config = (await this.#done("POST", "/configs", { name: "c", config: this.#naming() })).data.slug;
    });
  }

  /** The prompt says something else. */
  async edit(): Promise<void> {
    const version = ++Nested.#versions;
    const body = { patch: true, ...this.#saying(version) };
    await this.standing.become("c", version, () => this.#done("PUT", `/prompts/${this.#prompt.id}`, body));
  }

  /** The config names another prompt. */
  async rewrite(): Promise<void> {
    const version = ++Nested.#versions;
    this.#prompt = await this.#write(version);
    await this.standing.become("c", version, () => this.#name());
  }

  async drop(): Promise<void> {
    await this.standing.become("c", undefined, () => this.#done("DELETE", `/prompts/${this.#prompt.id}`));
    await this.rewrite();
  }

  #write(version: number): Promise<{ id: string; slug: string }> {
    const body = { name: "p", collection_id: this.#collection, parameters: {}, ...this.#saying(version) };
    return this.#done("POST", "/prompts", body);
  }

  #saying(version: number) {
    const string = JSON.stringify([{ role: "user", content: "{{user}}" }]);
    return { string, model: `${version}`, virtual_key: hostOf(version) };
  }

  #naming() {
    const target = { prompt_id: `${this.#prompt.slug}@latest` };
    return { strategy: { mode: "fallback" }, targets: [target, target] };
  }

  #name() {
    return this.#done("PUT", `/configs/${this.#config}`, { config: this.#naming() });
  }

  async #done(...call: Parameters<Caller>) {
    const { status, body } = await this.#own(...call);
    expect(status, JSON.stringify([call, body])).toBe(200);
    return body;
  }

  async #ask(user: string): Promise<number> {
    const headers = { "x-gateway-config": this.#config };
    const { status, body } = await this.#own("POST", "/prompts/none/completions", { variables: { user } }, headers);
    if (status === 404) expect(body.error.reason).toBe("prompt_not_found");
    return status;
  }
}

const plugins = {
  ...{ routing: {}, "strategy-fallback": {}, configs: {}, prompts: {} },
  ...{ "format-openai-chat": {}, "format-openai-completions": {} },
};

it("a request goes by one version of what its config names, and by one that was there, whatever is done to either", async () => {
  const at = { standing: new Standing() };
  const url = await startVendor(at);
  const provider = (host: string) => ({ use: "openai", apiKey: "vendor-key-0123456789", baseUrl: `${url}/${host}/v1` });
  const management = await startManagement(plugins, { providers: { even: provider("even"), odd: provider("odd") } });
  const own = management.as({ workspace: management.workspace.id });
  const { body: collection } = await own("POST", "/collections", { name: "c" });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const nested = new Nested(own, collection.id);
      at.standing = nested.standing;
      await nested.make();
      for (const kind of all) await nested.take(kind);
      const seen = (version: number) => `${version} at ${hostOf(version)}`;
      await nested.standing.finish({ calls: (version) => [seen(version), seen(version)], missing: 404 });
    }),
    chance(15),
  );
});
