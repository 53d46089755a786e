import { Readable } from "node:stream";
import { setImmediate } from "node:timers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { send, simulator } from "./testing.ts";

const vendors = [
  { path: "/chat/completions", terminator: "data: [DONE]\n\n" },
  { path: "/messages", terminator: 'event: message_stop\ndata: {"type":"message_stop"}\n\n' },
  { path: "/completions", terminator: "data: [DONE]\n\n" },
];

const request = (model: string, stream = true) => ({
  model,
  max_tokens: 99,
  prompt: "Hello",
  messages: [{ role: "user", content: "Hello" }],
  stream,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets so much time go by, and everything happen that needs none. */
async function pass(milliseconds: number) {
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  await settle();
  for (let step = 0; step < 10 && milliseconds > 0; step++) {
    await vi.advanceTimersByTimeAsync(milliseconds / 10);
    await settle();
  }
}

async function played(path: string, model: string, { stream = true, milliseconds = 0 } = {}) {
  const call = send(simulator(), path, request(model, stream));
  await pass(milliseconds);
  return call.heard;
}

const codeOf = (ending: unknown) => (ending instanceof Error && "code" in ending ? ending.code : ending);

describe.each(vendors)("a stream of $path", ({ path, terminator }) => {
  it("ends with its terminator when nothing is wrong", async () => {
    const { status, frames, ending, events } = await played(path, "m");
    expect([status, frames.at(-1), ending]).toEqual([200, terminator, "end"]);
    expect(events.slice(0, 3)).toEqual(["connected", "headers", "data"]);
  });

  it.each<[model: string, frames: number, ending: string | undefined]>([
    ["fault-stall-after-3", 3, undefined],
    ["fault-cut-after-3", 3, "ECONNRESET"],
    ["fault-end-after-3", 3, "end"],
    ["fault-error-event-after-3", 4, "end"],
    ["fault-cut-after-0", 0, "ECONNRESET"],
    ["fault-cut-after-3:some-model", 3, "ECONNRESET"],
  ])("%s: %i frames, then %s", async (model, count, ending) => {
    const heard = await played(path, model, { milliseconds: 60_000 });
    expect(heard.status).toBe(200);
    expect(heard.frames).toHaveLength(count);
    expect(codeOf(heard.ending)).toBe(ending);
  });

  it("never finishes when it is to break, however late", async () => {
    const { frames, ending } = await played(path, "fault-end-after-999");
    expect(ending).toBe("end");
    expect(frames.length).toBeGreaterThan(3);
    expect(frames.join("")).not.toMatch(/"(?:finish|stop)_reason":"/);
  });

  it("reports an error inside the stream in the vendor's own words", async () => {
    const { frames } = await played(path, "fault-error-event-after-1");
    const error = JSON.parse(/data: (.*)/.exec(frames.at(-1) ?? "")?.[1] ?? "").error;
    expect(error.type).toBe(path === "/messages" ? "overloaded_error" : "server_error");
  });

  it("sends one frame nobody can read, and goes on", async () => {
    const { frames } = await played(path, "fault-malformed-frame");
    const unreadable = frames.filter((frame) => {
      const data = /data: (.*)/.exec(frame)?.[1] ?? "";
      if (data === "[DONE]") return false;
      try {
        return !JSON.parse(data);
      } catch {
        return true;
      }
    });
    expect(unreadable).toHaveLength(1);
    expect(frames.at(-1)).toBe(terminator);
  });

  it("finishes without its terminator", async () => {
    const { frames, ending } = await played(path, "fault-no-done");
    expect(frames.join("")).toMatch(/"(?:finish|stop)_reason":"/);
    expect([frames.includes(terminator), ending]).toEqual([false, "end"]);
  });
});

describe("faults before an answer", () => {
  it.each(["fault-status-429", "fault-status-503", "fault-status-529", "fault-status-400"])("%s", async (model) => {
    const { status, frames, headers } = await played("/messages", model);
    expect(status).toBe(Number(model.slice(-3)));
    expect(JSON.parse(frames.join(""))).toMatchObject({ type: "error", error: { type: expect.any(String) } });
    expect(headers["retry-after"]).toBeUndefined();
  });

  it("says when to come back", async () => {
    const { status, headers } = await played("/chat/completions", "fault-status-500-retry-after-2");
    expect([status, headers["retry-after"]]).toEqual([500, "2"]);
  });

  it("connects and never answers", async () => {
    expect((await played("/embeddings", "fault-silence", { milliseconds: 600_000 })).events).toEqual(["connected"]);
  });

  it("breaks the connection before its headers", async () => {
    expect((await played("/chat/completions", "fault-reset")).events).toEqual(["connected", "error"]);
  });

  it("keeps the headers back", async () => {
    const call = send(simulator(), "/chat/completions", request("fault-slow-100"));
    await pass(99);
    expect(call.heard.events).toEqual(["connected"]);
    await pass(2);
    expect(call.heard.ending).toBe("end");
  });

  it("keeps the first token back", async () => {
    const call = send(simulator(), "/messages", request("fault-slow-first-token-1500"));
    await pass(1499);
    expect(call.heard.events).toEqual(["connected", "headers"]);
    await pass(2);
    expect(call.heard.ending).toBe("end");
  });

  it("fails as often as asked, then answers, for each body", async () => {
    const transport = simulator();
    const statuses: unknown[] = [];
    for (const stream of [true, true, false, true, false, false]) {
      const call = send(transport, "/chat/completions", request("fault-flaky-2", stream));
      await pass(0);
      statuses.push(call.heard.status);
    }
    expect(statuses).toEqual([503, 503, 503, 200, 503, 200]);
  });

  it("names a fault it does not know", async () => {
    const { status, frames } = await played("/chat/completions", "fault-bogus");
    expect(status).toBe(400);
    expect(frames.join("")).toContain("fault-bogus");
  });
});

describe("faults of a whole answer", () => {
  it.each<[model: string, status: number, ending: string | undefined, readable: boolean]>([
    ["fault-stall-after-2", 200, undefined, false],
    ["fault-cut-after-2", 200, "ECONNRESET", false],
    ["fault-end-after-2", 200, "end", false],
    ["fault-end-after-999", 200, "end", false],
    ["fault-malformed-frame", 200, "end", false],
    ["fault-error-event-after-2", 500, "end", true],
    ["fault-no-done", 200, "end", true],
  ])("%s: %i, then %s", async (model, status, ending, readable) => {
    const heard = await played("/chat/completions", model, { stream: false, milliseconds: 60_000 });
    expect([heard.status, codeOf(heard.ending)]).toEqual([status, ending]);
    const read = () => JSON.parse(heard.frames.join(""));
    if (readable) expect(read()).toBeTypeOf("object");
    else expect(read).toThrow();
  });
});

describe("how frames come", () => {
  it("tells nothing before the call has begun", () => {
    const { heard } = send(simulator(), "/chat/completions", request("m"));
    expect(heard.events).toEqual([]);
  });

  it("waits before the first frame and between frames, as its options say", async () => {
    const transport = simulator({ pacing: { firstToken: 100, chunk: 10 } });
    const { heard } = send(transport, "/chat/completions", request("m"));
    await pass(99);
    expect(heard.frames).toHaveLength(0);
    await pass(2);
    expect(heard.frames).toHaveLength(1);
    await pass(10);
    expect(heard.frames).toHaveLength(2);
  });

  it("starts no timer that outlives an aborted call", async () => {
    const transport = simulator({ pacing: { firstToken: 0, chunk: 10 } });
    const { heard, handle } = send(transport, "/chat/completions", request("m"));
    await pass(15);
    const before = heard.events.length;
    handle.abort();
    expect(vi.getTimerCount()).toBe(0);
    handle.resume();
    await pass(60_000);
    expect(heard.events).toHaveLength(before);
  });

  it.each([0, 10])("holds frames back while it is paused: %i ms between them", async (chunk) => {
    const transport = simulator({ pacing: { firstToken: 0, chunk } });
    const { heard, handle } = send(transport, "/chat/completions", request("m"));
    await pass(chunk * 2);
    handle.pause();
    const before = heard.events.length;
    await pass(60_000);
    expect(heard.events).toHaveLength(before);
    handle.resume();
    await pass(60_000);
    expect(heard.ending).toBe("end");
  });
});

it("answers a body that arrives in pieces", async () => {
  vi.useRealTimers();
  const frames: string[] = [];
  await new Promise<void>((resolve, reject) => {
    simulator().send(
      {
        method: "POST",
        origin: "https://simulator.invalid",
        path: "/upload",
        headers: {},
        body: Readable.from([Buffer.from("hel"), Buffer.from("lo")]),
        untrustedHost: false,
      },
      {
        connected() {},
        headers() {},
        data: (bytes) => frames.push(bytes.toString()),
        end: resolve,
        error: reject,
      },
    );
  });
  expect(JSON.parse(frames.join(""))).toMatchObject({ bodyLength: 5 });
});
