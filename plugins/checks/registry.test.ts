import { expect, it } from "vitest";
import type { Ask, OutboundRequest } from "../../core/index.ts";
import contains from "./families/default/contains.ts";
import { CheckRegistry } from "./registry.ts";

function registry(answer: Partial<Awaited<ReturnType<Ask>>> = {}) {
  const asked: OutboundRequest[] = [];
  const ask: Ask = async (request) => {
    asked.push(request);
    return { status: 200, headers: {}, text: "{}", ...answer };
  };
  const nobody = () => Promise.reject(new Error("nobody is called"));
  const log = { info() {}, warn() {}, error() {}, debug() {} } as never;
  const checks = new CheckRegistry({
    ask,
    call: nobody,
    log,
    credentials: { default: { key: "k" } },
    timeout: undefined,
  });
  return { asked, tools: checks.tools(contains, { trusted: true }) };
}

it("holds an address that stood in a text to the rules, whoever made the guardrail", async () => {
  const { asked, tools } = registry();
  await tools.ask({ url: "https://a.example" });
  await tools.ask({ url: "https://a.example", method: "HEAD", found: true });
  expect(asked.map(({ trusted, method }) => [trusted, method])).toEqual([
    [true, "POST"],
    [false, "HEAD"],
  ]);
});

it("gives bytes as they came", async () => {
  const bytes = Buffer.from([0xff, 0xd8, 0xff]);
  const { asked, tools } = registry({ bytes, text: "" });
  const answer = await tools.ask({ url: "https://a.example/x", method: "GET", bytes: true, mostBytes: 5 });
  expect(answer).toMatchObject({ status: 200, bytes, json: undefined });
  expect(asked[0]).toMatchObject({ bytes: true, mostBytes: 5 });
});

it("gives a provider of the deployment as long as the guardrail says", async () => {
  const called: object[] = [];
  const call = (asked: object) => {
    called.push(asked);
    return Promise.reject(new Error("nobody answers"));
  };
  const unused = () => Promise.reject(new Error("nobody is asked"));
  const checks = new CheckRegistry({ ask: unused, call, log: {} as never, credentials: {}, timeout: undefined });
  const asked = { provider: "p", operation: "moderate", body: { model: "m", input: "x" } } as const;
  await expect(checks.tools(contains, { trusted: true, timeout: 70 }).call(asked)).rejects.toThrow("nobody answers");
  await expect(checks.tools(contains, { trusted: true }).call(asked)).rejects.toThrow("nobody answers");
  expect(called).toEqual([{ ...asked, clocks: { total: 70 } }, asked]);
});

it.each(["check's", "call's"])(
  "gives a call up at the end of the %s own time, whoever gives the other",
  async (whose) => {
    const [ofCheck, ofCall] = [new AbortController(), new AbortController()];
    const signals: (AbortSignal | undefined)[] = [];
    const call = ({ signal }: { signal?: AbortSignal }) => {
      signals.push(signal);
      return Promise.reject(new Error("nobody answers"));
    };
    const unused = () => Promise.reject(new Error("nobody is asked"));
    const checks = new CheckRegistry({ ask: unused, call, log: {} as never, credentials: {}, timeout: undefined });
    const tools = checks.tools(contains, { trusted: true, signal: ofCheck.signal });
    const asked = { provider: "p", operation: "moderate", body: { model: "m", input: "x" } } as const;
    await expect(tools.call({ ...asked, signal: ofCall.signal })).rejects.toThrow("nobody answers");
    expect(signals[0]?.aborted).toBe(false);
    (whose === "check's" ? ofCheck : ofCall).abort();
    expect(signals[0]?.aborted).toBe(true);
  },
);
