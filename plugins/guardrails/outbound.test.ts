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

async function startAsking() {
  const service = await startUpstream((request, response) => {
    if (request.url.includes("silent")) return undefined;
    return json(response, Number(/status-(\d+)/.exec(request.url)?.[1] ?? 200), { answered: "what was answered" });
  });
  const { ask } = await startGuarded({
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
  return { service, through };
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
