import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { json, startUpstream } from "../../test/support/upstream.ts";
import { chat, type Said, startGuarded } from "./testing.ts";

const surface = new URL("../../core/index.ts", import.meta.url).href;

/** Asks somebody, at addresses that hold what nobody is to see. */
const askingCheck = `
import { defineCheck, z } from "${surface}";
export default defineCheck({
  id: "asking.somebody",
  summary: "Asks.",
  parameters: z.object({ url: z.string(), times: z.number().default(1), hasty: z.boolean().default(false) }),
  async run(_, { url, times, hasty }, { ask, credentials }) {
    const one = () => ask({ url, headers: { authorization: "Bearer " + credentials.apiKey }, body: { secret: "sent" } });
    if (hasty) { one().catch(() => {}); return { verdict: true }; }
    for (let at = 0; at < times; at++) await one();
    return { verdict: true };
  },
});
`;

const credential = "credential-0123456789";

async function startAsking(vendor: { stalls?: string } = {}) {
  const silent: ServerResponse[] = [];
  const service = await startUpstream((request, response) => {
    if (request.url.includes("silent")) return void silent.push(response);
    return json(response, Number(/status-(\d+)/.exec(request.url)?.[1] ?? 200), { answered: "what was answered" });
  });
  const { ask, gateway, upstream, ended, received } = await startGuarded({
    ...vendor,
    plugins: "  asking: { use: ./asking.ts }",
    files: { "asking.ts": askingCheck },
    checks: `{ credentials: { asking: { apiKey: ${credential}, nested: { also: "kept/out" } } } }`,
  });
  const host = service.url.replace("http://", "");
  const through = (path: string, more: object = {}, side = "input") =>
    ask(
      { [`${side}_guardrails`]: [{ "asking.somebody": { url: `http://user:password@${host}${path}`, ...more } }] },
      chat("tea"),
    );
  /** Asks with a guardrail whose service is silent, and leaves as soon as that is asked. */
  const leaving = async (side: string, action: { async?: boolean } = {}) => {
    const config = { [`${side}_guardrails`]: [{ ...action, "asking.somebody": { url: `http://${host}/silent` } }] };
    const gone = new AbortController();
    const record = ended();
    const asked = ask(config, chat("tea", { stream: action.async === true }), "/v1/chat/completions", {}, gone.signal);
    await expect.poll(() => [silent.length, received.length]).toEqual([1, side === "input" && !action.async ? 0 : 1]);
    gone.abort();
    await expect(asked).rejects.toThrow();
    return { record };
  };
  return { service, through, leaving, gateway, upstream, silent, received };
}

const logsIn = ({ json: { hook_results: results } }: Said) =>
  [...(results?.before_request_hooks ?? []), ...(results?.after_request_hooks ?? [])].map(
    ({ checks }) => (checks[0] as unknown as { log: unknown }).log,
  );

it.each<[string, string, object, object]>([
  ["an answer", "/ok", {}, { status: 200 }],
  ["a failure", "/status-503", {}, { status: 503, error: "HttpError" }],
  ["a silence", "/silent", { timeout: 30 }, { status: null, error: "TimeoutError" }],
  ["an answer nobody waited for", "/silent", { timeout: 30, hasty: true }, { status: null }],
])("the results of checks say what was asked, and what came of it: %s", async (_, path, more, expected) => {
  const { service, through } = await startAsking();
  for (const side of ["input", "output"]) {
    const said = await through(`${path}/of/${credential}/kept%2Fout?key=in-the-query#there`, more, side);
    expect(logsIn(said)).toEqual([
      {
        calls: [{ method: "POST", url: `${service.url}${path}/of/***/***`, duration: expect.any(Number), ...expected }],
      },
    ]);
    for (const secret of [credential, "password", "in-the-query", "sent", "kept%2Fout"])
      expect(said.text).not.toContain(secret);
  }
});

it.each([
  ["input", 0],
  ["output", 1],
] as const)(
  "gives calls of %s checks up when the client leaves, which nobody waits for any more",
  async (side, told) => {
    const { leaving, silent, gateway, received } = await startAsking();
    const { record } = await leaving(side);
    await expect.poll(() => silent[0]?.destroyed).toBe(true);
    await expect.poll(() => gateway.generation.active).toBe(0);
    const results = await record;
    const entries = side === "input" ? results?.before_request_hooks : results?.after_request_hooks;
    expect(entries).toMatchObject([{ checks: [{ error: { name: "ClientGone" } }] }]);
    expect(received).toHaveLength(told);
  },
);

it("does not give up those that run beside the request", async () => {
  const { leaving, silent, upstream } = await startAsking({ stalls: "words" });
  const { record } = await leaving("input", { async: true });
  await expect.poll(() => upstream.connections()).toBe(0);
  for (const response of silent) json(response, 200, {});
  expect((await record)?.before_request_hooks).toMatchObject([{ async: true, checks: [{ verdict: true }] }]);
});

it("lists so many calls of a check, and counts the others", async () => {
  const { through } = await startAsking();
  const [log] = logsIn(await through("/ok", { times: 23 })) as [{ calls: unknown[]; more: number }];
  expect([log.calls.length, log.more]).toEqual([20, 3]);
});

it("says nothing of checks that ask nobody", async () => {
  const { ask } = await startGuarded();
  expect(logsIn(await ask({ input_guardrails: [{ notNull: {}, contains: { words: ["x"] } }] }, chat("tea")))).toEqual([
    null,
  ]);
});
