import { request } from "node:http";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { callsMade } from "../support/calls-made.ts";
import { clock as shared } from "../support/clocked-counters.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { begun, startLimited, streamed, type Vendor, workspace } from "../support/limited.ts";
import { supportPlugin, testOrganisation } from "../support/management.ts";
import { json } from "../support/upstream.ts";

const tokens = 20;
const usage = { prompt_tokens: tokens / 2, completion_tokens: tokens / 2, total_tokens: tokens };
const choice = { index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" };
const whole = { id: "c", object: "chat.completion", created: 1, model: "m", choices: [choice], usage };
const usageFrame = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage };

/** So many turns of the event loop: time goes on without a clock. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}

/** What a vendor does with a call, by the name of the model. */
const behaviours: Record<string, (response: Parameters<Vendor>[1], stream: boolean) => unknown> = {
  answers: (response, stream) => (stream ? streamed(response, usage) : json(response, 200, whole)),
  dawdles: async (response, stream) => {
    await turns(200);
    behaviours.answers?.(response, stream);
  },
  drips: async (response, stream) => {
    if (!stream) return json(response, 200, whole);
    begun(response);
    await turns(100);
    response.write(`data: ${JSON.stringify(usageFrame)}\n\n`);
    await turns(100);
    response.end("data: [DONE]\n\n");
  },
  breaks: async (response, stream) => {
    if (stream) begun(response);
    await turns(20);
    response.destroy();
  },
  tells: async (response, stream) => {
    if (stream) begun(response);
    if (stream) response.write(`data: ${JSON.stringify(usageFrame)}\n\n`);
    await turns(20);
    response.destroy();
  },
  fails: (response) => json(response, 503, { error: { message: "No.", type: "t" } }),
  refuses: (response) => json(response, 400, { error: { message: "No.", type: "t" } }),
  babbles: (response) => response.writeHead(200, { "content-type": "application/json" }).end("{oops"),
  hangs: () => undefined,
};
const vendor: Vendor = ({ model, stream }, response) => {
  behaviours[model]?.(response, stream === true);
  return true;
};

const often = { freq: 3 };
const shaped = {
  request_timeout: fc.constantFrom(60, 200),
  retry: fc.option(fc.record({ attempts: fc.nat(2), use_retry_after_header: fc.constant(false) }), often),
  stream_resume: fc.option(fc.constant("restart"), often),
  cache: fc.option(fc.constant({ mode: "simple" }), often),
};
const { tree } = fc.letrec<{ tree: object; leaf: object; group: object }>((tie) => ({
  tree: fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("group")),
  leaf: fc.record({
    ...shaped,
    provider: fc.constantFrom("@main-oai", "@spare-oai"),
    override_params: fc.record(
      { model: fc.constantFrom(...Object.keys(behaviours), "answers", "drips"), max_tokens: fc.nat(200) },
      { requiredKeys: ["model"] },
    ),
  }),
  group: fc.record({
    ...shaped,
    strategy: fc.oneof(
      fc.record({ mode: fc.constantFrom("fallback", "fallback", "loadbalance", "shadow") }),
      fc.record({ mode: fc.constant("hedge"), delay: fc.nat(20) }),
    ),
    targets: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
  }),
}));
const asking = fc.record({
  tree: tree.map((config) => JSON.stringify(config, (_, value) => value ?? undefined)),
  stream: fc.boolean(),
  /** After so many turns of the event loop the client leaves. */
  leaves: fc.option(fc.nat(300), { freq: 4 }),
  said: fc.constantFrom("one", "another", "a third"),
  client: fc.constantFrom("chat", "messages"),
});
type Asking = typeof asking extends fc.Arbitrary<infer Value> ? Value : never;

/** Asks, reads what comes, and leaves early where it is to. Tells what came to its end; undefined of what was cut. */
async function ask(url: string, { tree: config, stream, leaves, said, client }: Asking): Promise<Heard | undefined> {
  const who = { id: "K1", organisation: testOrganisation, workspace };
  const outgoing = request(`${url}/v1/${client === "chat" ? "chat/completions" : client}`, {
    method: "POST",
    agent: false,
    headers: {
      "content-type": "application/json",
      "x-test-principal": JSON.stringify(who),
      "x-gateway-config": config,
    },
  });
  let text = "";
  let heard: Heard | undefined;
  const over = new Promise((resolve) => outgoing.on("close", resolve));
  outgoing
    .on("error", () => undefined)
    .on("response", (answer) => {
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer
        .on("error", () => undefined)
        .on("end", () => {
          heard = { config, client, stream, status: answer.statusCode, text };
        });
    });
  outgoing.end(
    JSON.stringify({ model: "answers", stream, max_tokens: 50, messages: [{ role: "user", content: said }] }),
  );
  if (leaves !== null) void turns(leaves).then(() => outgoing.destroy());
  await over;
  return heard;
}

interface Heard extends Pick<Asking, "stream" | "client"> {
  readonly config: string;
  readonly status: number | undefined;
  readonly text: string;
}

/** What texts and ends of answers look like to a client. */
const readers: Record<string, { whole(answer: Read): unknown; piece(frame: Read): string | undefined; end: string }> = {
  chat: {
    whole: ({ choices }) => choices?.[0]?.message?.content,
    piece: ({ choices }) => choices?.[0]?.delta?.content,
    end: "data: [DONE]",
  },
  messages: {
    whole: ({ content }) => content?.[0]?.text,
    piece: ({ delta }) => delta?.text,
    end: 'event: message_stop\ndata: {"type":"message_stop"}',
  },
};
interface Read {
  readonly choices?: readonly { readonly message?: { content?: string }; readonly delta?: { content?: string } }[];
  readonly content?: readonly { readonly text?: string }[];
  readonly delta?: { readonly text?: string };
}

/** A success is all of one answer; whatever is less says that it is. */
function isHonest({ client, stream, status, text }: Heard): boolean {
  const reader = readers[client];
  if (status !== 200) return "error" in JSON.parse(text);
  if (!stream) return reader?.whole(JSON.parse(text)) === "Hi";
  const frames = text.split("\n\n").filter((frame) => frame.includes("data: "));
  const isEnded = frames.at(-1) === reader?.end;
  if (frames.some((frame) => /^data: \{"error"|^event: error/.test(frame))) return !isEnded;
  const pieces = frames.filter((frame) => frame !== "data: [DONE]").map((frame) => frame.slice(frame.indexOf("{")));
  return isEnded && pieces.map((piece) => reader?.piece(JSON.parse(piece)) ?? "").join("") === "Hi";
}

const per = (key: string) => ({ conditions: [{ key, value: "*" }], group_by: [{ key }] });
const kinds = [
  ["api_key", "K1"],
  ["virtual_key", "main-oai"],
  ["virtual_key", "spare-oai"],
] as const;

it.each([
  { of: "this process", isShared: false },
  { of: "a store that is shared, and takes its time", isShared: true },
])(
  "whatever walk a request takes, its answer is honest, all that was used is counted once, and nothing stays held, with counters of $of",
  async ({ isShared }) => {
    shared.lasting = isShared;
    onTestFinished(() => void Object.assign(shared, { lasting: false }));
    const folder = folderOfFile();
    const budgets = (type: string, key: string) => ({ ...per(key), type, credit_limit: 1e9, enforcement: "hard" });
    const rates = (type: string, key: string) => ({ ...per(key), type, unit: "rpd", value: 1e8 });
    const ofBoth = (types: readonly string[], made: (type: string, key: string) => object) =>
      Object.fromEntries(
        ["api_key", "virtual_key"].flatMap((key) => types.map((type) => [`${key}-${type}`, made(type, key)])),
      );
    const { gateway, clock } = await startLimited(
      {
        "records-file": {},
        management: {},
        organisations: {},
        "policy-records": {
          usageLimits: ofBoth(["tokens", "cost"], budgets),
          rateLimits: ofBoth(["tokens", "requests"], rates),
        },
        "penny-prices": supportPlugin(folder, "penny-prices"),
        "calls-made": supportPlugin(folder, "calls-made"),
        "strategy-hedge": {},
        "strategy-shadow": {},
        "stream-resume": {},
        "cache-memory": {},
        cache: {},
        "rate-limits": {},
        "usage-limits": {},
      },
      vendor,
    );
    clock.now = Date.parse("2082-09-02T10:00Z");
    clock.lose();
    callsMade.length = 0;
    const keys = new Set<string>();
    clock.slow = (claims) => {
      for (const { key } of claims) keys.add(key);
      return isShared ? turns(1) : undefined;
    };
    const all = fc.sample(asking, { numRuns: 150 });
    const heard: Heard[] = [];
    // Without a clock, before the crowd: where the machine is busy, the clocks of all walks may run out.
    for (const provider of ["@main-oai", "@spare-oai"]) {
      const tree = JSON.stringify({ provider });
      const one = await ask(gateway.url, { tree, stream: false, leaves: null, said: "one", client: "chat" });
      if (one) heard.push(one);
    }
    const lane = async () => {
      for (let next = all.pop(); next; next = all.pop()) {
        const one = await ask(gateway.url, next);
        if (one) heard.push(one);
      }
    };
    await Promise.all(Array.from({ length: 12 }, lane));
    await expect.poll(() => gateway.generation.active, { timeout: 20_000 }).toBe(0);
    expect(heard.filter((one) => !isHonest(one))).toEqual([]);
    const names = [...keys];
    await expect.poll(() => names.filter((key) => clock.held(testOrganisation, key) !== 0n)).toEqual([]);
    const counted = (kind: string, id: string, type: string) => {
      const [limit, end] = type === "requests" ? ["rate", ":requests:rpd@"] : ["usage", ` ${type}@ever`];
      const name = `${limit}:policy:${kind}-${type}:${kind}:${id}${end}`;
      const key = names.find((one) => one.startsWith(name) && !one.endsWith("restored"));
      return clock.read(testOrganisation, [`${key}`])[0];
    };
    for (const [kind, id] of kinds) {
      const calls = callsMade.filter(({ provider }) => kind === "api_key" || provider === id);
      const used = calls.reduce((sum, call) => sum + call.tokens, 0n);
      expect(used, id).toBeGreaterThan(0n);
      expect([counted(kind, id, "tokens"), counted(kind, id, "cost")], id).toEqual([used, used * 10n ** 10n]);
      if (kind === "virtual_key")
        expect(counted(kind, id, "requests"), id).toBe(BigInt(calls.filter(({ isSent }) => isSent).length));
    }
  },
);
