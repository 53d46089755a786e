import { expect, it } from "vitest";
import { collect, collectStream } from "./collect.ts";
import type { Reply } from "./conversation.ts";

interface Reader {
  data(bytes: Buffer): void;
  end(): void;
  error(cause: Error): void;
}

/** An answer whose pieces come when they are given. */
function answer() {
  const begun: number[] = [];
  let reader: Reader | undefined;
  let pieces = 0;
  const conversation = {
    attempt: {},
    read: (given: Reader) => {
      reader = given;
    },
    firstToken: () => begun.push(pieces),
  };
  return {
    reply: { conversation } as unknown as Reply,
    begun,
    give(text: string) {
      reader?.data(Buffer.from(text));
      pieces++;
    },
    end: () => reader?.end(),
    fail: (cause: Error) => reader?.error(cause),
  };
}

it("a stream that is gathered has begun for its clocks with its first bytes", async () => {
  const { reply, begun, give, end } = answer();
  const gathered = collectStream(reply, 100);
  expect(begun).toEqual([]);
  give("a");
  give("b");
  end();
  expect(String(await gathered)).toBe("ab");
  expect(begun).toEqual([0]);
});

it("an answer that is no stream has no first token", async () => {
  const { reply, begun, give, end } = answer();
  const collected = collect(reply, 100);
  give("a");
  end();
  expect(String(await collected)).toBe("a");
  expect(begun).toEqual([]);
});

it.each([collect, collectStream])("what came of an answer that is cut short is told: %s", async (how) => {
  const { reply, give, fail } = answer();
  const came: string[] = [];
  const collected = how(reply, 100, (bytes) => came.push(String(bytes)));
  give("a");
  give("b");
  fail(new Error("cut"));
  await expect(collected).rejects.toThrow("cut");
  expect(came).toEqual(["ab"]);
});
