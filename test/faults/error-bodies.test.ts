import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Attempt } from "../../core/index.ts";
import { collectError } from "../../core/pipeline/reply/collect.ts";
import { Conversation } from "../../core/pipeline/reply/conversation.ts";
import { startTwoVendors, type Vendor, well } from "../support/two-vendors.ts";

/** A vendor whose refusal begins so, and then goes on as `then` says. */
const refusing =
  (status: number, text: string, then: (...arrived: Parameters<Vendor>) => void): Vendor =>
  (arrived) => {
    arrived.response.writeHead(status, { "content-type": "application/json" });
    arrived.response.write(text, () => then(arrived));
  };
const breakOff: Vendor = ({ response }) => response.destroy();
const goOn: Vendor = () => undefined;

const impatient = { timeouts: { idle: 50 } };
const long = `{"detail":[{"input":"${"x".repeat(2_000_000)}"}]}`;

describe("a refusal keeps its status where its words", () => {
  it.each<[string, number, Vendor]>([
    ["are too many", 422, refusing(422, long, ({ response }) => response.end())],
    ["break off", 401, refusing(401, '{"error": {"message": "No', breakOff)],
    ["never come to their end", 503, refusing(503, '{"error": {"message": "No', goOn)],
  ])("%s", async (_, status, alpha) => {
    const { send, ask, asked } = await startTwoVendors({ alpha, beta: well("beta") });
    const answered = await send({ provider: "@alpha", ...impatient }, { stream: false });
    expect(answered.status).toBe(status);
    expect(JSON.parse(answered.text)).toMatchObject({ provider: "openai", error: { message: expect.any(String) } });
    expect(answered.text.length).toBeLessThan(5_000);
    const strategy = { mode: "fallback", on_status_codes: [status] };
    expect((await ask(strategy, { stream: true, leaf: impatient })).text).toContain("from beta");
    expect(asked).toHaveLength(3);
  });

  it("break off within a secret, of which nothing is shown", async () => {
    const { send } = await startTwoVendors({ alpha: refusing(401, "Not with alpha-key-01", breakOff), beta: goOn });
    const { status, text } = await send({ provider: "@alpha" }, { stream: false });
    expect(status).toBe(401);
    expect(text).toContain("Not with ");
    expect(text).not.toContain("alpha-key");
  });
});

it("the words of a refusal are waited for ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const conversation = new Conversation({
    clocks: {},
    stream: false,
    attempt: {} as Attempt,
    clock: { elapsed: () => 0 },
  });
  conversation.headers(500, {});
  let text: string | undefined;
  const reading = collectError(await conversation.reply, (said) => said.toUpperCase()).then((read) => {
    text = read;
  });
  conversation.data(Buffer.from("So far."));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(text).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await reading;
  expect(text).toBe("SO ");
});
