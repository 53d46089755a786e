import fc from "fast-check";
import { expect, it } from "vitest";
import { chance } from "../support/chance.ts";
import { type Caller, startManagement } from "../support/management.ts";
import { json, startUpstream } from "../support/upstream.ts";
import { chatAnswer, Standing } from "./standing.ts";

const kinds = ["ask", "ask", "ask", "ask before", "answer", "answer", "edit", "drop", "swap", "settle"] as const;
type Kind = (typeof kinds)[number];
const steps = fc.array(fc.constantFrom(...kinds), { minLength: 10, maxLength: 40, size: "max" });

const keyOf = (version: number) => `sk-of-version-${version}-0123456789`;

/** A vendor that refuses each request once, and then answers it. Keys and hosts are known by their versions. */
async function startVendor(at: { standing: Standing }): Promise<string> {
  const { url } = await startUpstream(({ url: path, headers, body }, response) => {
    const [, host] = /^\/v(\d+)\//.exec(path) ?? [];
    const [, key] = /-(\d+)-/.exec(String(headers.authorization)) ?? [];
    const { user, model } = JSON.parse(body.toString()) as { readonly user: string; readonly model: string };
    at.standing.called(user, `${key} at ${host}`, (call) =>
      call === 1 ? json(response, 500, { error: { message: "No." } }) : json(response, 200, chatAnswer(model)),
    );
  });
  return url;
}

/** A provider that is edited, deleted with its integration or alone, and made again: a name that was used is never free again. */
class Remaking {
  static #versions = 0;
  readonly standing = new Standing();
  readonly #own: Caller;
  readonly #url: string;
  #integration = "";
  #name = "";
  #nameBefore = "";

  constructor(own: Caller, url: string) {
    this.#own = own;
    this.#url = url;
  }

  async take(kind: Kind): Promise<void> {
    const { standing } = this;
    const name = kind === "ask before" ? this.#nameBefore : this.#name;
    if (kind === "ask" || kind === "ask before") standing.ask(name, (user) => this.#ask(user, name));
    else if (kind === "answer") standing.answerOne();
    else await standing.change(async () => kind !== "settle" && this[kind]());
    await standing.goOn();
  }

  async make(): Promise<void> {
    const version = this.#next();
    await this.standing.become(this.#name, version, async () => {
      this.#integration = await this.#integrate(version, { default_provider_slug: this.#name });
    });
  }

  async edit(): Promise<void> {
    const version = ++Remaking.#versions;
    const path = `/integrations/${this.#integration}`;
    await this.standing.become(this.#name, version, () => this.#done("PUT", path, this.#saying(version)));
  }

  async drop(): Promise<void> {
    const path = `/integrations/${this.#integration}`;
    await this.standing.become(this.#name, undefined, () => this.#done("DELETE", path));
    await this.make();
  }

  async swap(): Promise<void> {
    await this.standing.become(this.#name, undefined, () => this.#done("DELETE", `/providers/${this.#name}`));
    const version = this.#next();
    const integration = await this.#integrate(version, { create_default_provider: false });
    const provider = { name: "p", slug: this.#name, integration_id: integration };
    await this.standing.become(this.#name, version, () => this.#done("POST", "/providers", provider));
    this.#integration = integration;
  }

  /** A version, with a name of its own. */
  #next(): number {
    const version = ++Remaking.#versions;
    this.#nameBefore = this.#name;
    this.#name = `p-${version}`;
    return version;
  }

  async #integrate(version: number, more: object): Promise<string> {
    const slug = `i-${version}`;
    const body = { name: "i", slug, ai_provider_id: "openai", ...this.#saying(version), ...more };
    await this.#done("POST", "/integrations", body);
    return slug;
  }

  #saying(version: number) {
    return { key: keyOf(version), configurations: { custom_host: `${this.#url}/v${version}/v1` } };
  }

  async #done(...call: Parameters<Caller>): Promise<void> {
    const { status, body } = await this.#own(...call);
    expect(status, JSON.stringify([call, body])).toBe(200);
  }

  async #ask(user: string, name: string): Promise<number> {
    const target = { provider: `@${name}` };
    const config = { strategy: { mode: "fallback" }, targets: [target, target] };
    const body = { model: "m", user, messages: [{ role: "user", content: "Hi" }] };
    const headers = { "x-gateway-config": JSON.stringify(config) };
    return (await this.#own("POST", "/chat/completions", body, headers)).status;
  }
}

const plugins = {
  ...{ encryption: { key: "5e".repeat(32) }, integrations: {}, routing: {}, "strategy-fallback": {} },
  "format-openai-chat": {},
};

it("a request goes by one version of a stored provider, and by one that was there, also when it is deleted and made again", async () => {
  const at = { standing: new Standing() };
  const url = await startVendor(at);
  const management = await startManagement(plugins, { variables: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" } });
  const own = management.as({ workspace: management.workspace.id });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const remaking = new Remaking(own, url);
      at.standing = remaking.standing;
      await remaking.make();
      await remaking.drop();
      for (const kind of all) await remaking.take(kind);
      const seen = (version: number) => `${version} at ${version}`;
      await remaking.standing.finish({ calls: (version) => [seen(version), seen(version)], missing: 400 });
    }),
    chance(15),
  );
});
