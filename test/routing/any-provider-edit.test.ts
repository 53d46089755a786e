import fc from "fast-check";
import { expect, it } from "vitest";
import { chance } from "../support/chance.ts";
import { startManagement } from "../support/management.ts";
import { json, startUpstream } from "../support/upstream.ts";

const steps = fc.array(fc.constantFrom("ask", "ask", "ask", "answer", "answer", "edit", "settle"), {
  minLength: 10,
  maxLength: 40,
  size: "max",
});

/** A call as the vendor saw it: whose key it came with, at whose host, and when. */
interface Call {
  readonly user: string;
  readonly key: number;
  readonly host: number;
  readonly at: number;
}

const keyOf = (version: number) => `sk-of-version-${version}-0123456789`;

const plugins = {
  ...{ encryption: { key: "5e".repeat(32) }, integrations: {}, routing: {}, "strategy-fallback": {} },
  "format-openai-chat": {},
};

/** Counts what happens. */
interface Clock {
  now: number;
}

/** A vendor that answers when it is let: each request is refused once, and then answered. */
async function startHolding(clock: Clock) {
  const held: (() => void)[] = [];
  const calls: Call[] = [];
  const upstream = await startUpstream(({ url, headers, body }, response) => {
    const [, host] = /^\/v(\d+)\//.exec(url) ?? [];
    const [, key] = /-(\d+)-/.exec(String(headers.authorization)) ?? [];
    const { user, model } = JSON.parse(body.toString()) as { readonly user: string; readonly model: string };
    const isFirst = !calls.some((call) => call.user === user);
    calls.push({ user, key: Number(key), host: Number(host), at: clock.now++ });
    held.push(() =>
      isFirst
        ? json(response, 500, { error: { message: "No." } })
        : json(response, 200, { id: "c", object: "chat.completion", created: 1, model, choices: [said] }),
    );
  });
  return { url: upstream.url, held, calls };
}

const said = { index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" };

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Resolves when everybody has an answer. */
async function answered(all: readonly Promise<number>[], held: (() => void)[]): Promise<readonly number[]> {
  let isOver = false;
  const over = Promise.all(all).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const answer of held.splice(0)) answer();
    await turn();
  }
  return over;
}

it("a call to a stored provider has the key and the host of one version of it, and of one that was there", async () => {
  const clock: Clock = { now: 0 };
  const { url, held, calls } = await startHolding(clock);
  const management = await startManagement(plugins, { variables: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" } });
  const own = management.as({ workspace: management.workspace.id });
  let version = 0;
  const saying = () => ({ key: keyOf(version), configurations: { custom_host: `${url}/v${version}/v1` } });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      calls.length = 0;
      const made = await own("POST", "/integrations", { name: "i", ai_provider_id: "openai", ...saying() });
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      const { slug } = made.body;
      /** When a version may be seen first, and last. */
      const seen = new Map([[version, { from: clock.now++, to: Number.POSITIVE_INFINITY }]]);
      const edit = async () => {
        const before = seen.get(version++);
        seen.set(version, { from: clock.now++, to: Number.POSITIVE_INFINITY });
        const { status, body } = await own("PUT", `/integrations/${slug}`, saying());
        expect(status, JSON.stringify(body)).toBe(200);
        if (before) before.to = clock.now++;
      };
      const target = { provider: `@${slug}` };
      const headers = {
        "x-gateway-config": JSON.stringify({ strategy: { mode: "fallback" }, targets: [target, target] }),
      };
      const asked: { readonly user: string; readonly since: number; readonly status: Promise<number> }[] = [];
      let changing: Promise<unknown> = Promise.resolve();
      for (const step of all) {
        const user = `${asked.length}`;
        const body = { model: "m", user, messages: [{ role: "user", content: "Hi" }] };
        if (step === "ask")
          asked.push({
            user,
            since: clock.now++,
            status: own("POST", "/chat/completions", body, headers).then((one) => one.status),
          });
        else if (step === "answer") held.shift()?.();
        else await changing;
        if (step === "edit") changing = edit();
        for (let turns = 0; turns < 3; turns++) await turn();
      }
      await changing;
      const statuses = asked.map(({ status }) => status);
      expect(await answered(statuses, held)).toEqual(asked.map(() => 200));
      for (const { user, since } of asked) {
        const its = calls.filter((call) => call.user === user);
        expect(its).toHaveLength(2);
        for (const { key, host, at } of its) {
          const { from = Number.NaN, to = Number.NaN } = seen.get(key) ?? {};
          expect([host, from <= at, to >= since]).toEqual([key, true, true]);
        }
      }
    }),
    chance(15),
  );
});
