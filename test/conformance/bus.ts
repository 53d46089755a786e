import { expect, it } from "vitest";
import type { BusService } from "../../core/index.ts";

/** One more process of a deployment: what it publishes may reach the others. */
export type Join = () => Promise<{ readonly bus: BusService; close(): void }>;

let asked = 0;

/** Resolves once what `from` has said so far has arrived where it goes, and subscriptions are known. */
async function arrived(from: BusService, ...others: readonly BusService[]): Promise<void> {
  for (const to of others) {
    // Each asks for its own answer: that to an earlier one may still be on its way.
    const question = asked++;
    let heard = false;
    const leave = to.subscribe("end", (message) => {
      heard ||= message === question;
    });
    const ask = () => {
      from.publish("end", question);
      return heard;
    };
    await expect.poll(ask, { interval: 5, timeout: 5_000 }).toBe(true);
    leave();
  }
}

/** What holds of every bus. `deployment` is asked for a new one by each test. */
export function holdsTheBusContract(deployment: () => Promise<Join>): void {
  async function three() {
    const join = await deployment();
    const [one, two, third] = [await join(), await join(), await join()];
    const heard: string[] = [];
    const hear = (who: string) => (message: unknown) => void heard.push(`${who} ${JSON.stringify(message)}`);
    return { one, two, third, heard, hear };
  }

  it("tells all others, and not who said it", async () => {
    const { one, two, third, heard, hear } = await three();
    for (const [who, { bus }] of Object.entries({ one, two, third })) bus.subscribe("t", hear(who));
    await arrived(one.bus, two.bus, third.bus);
    await arrived(two.bus, one.bus);
    one.bus.publish("t", { a: [1, null, "ä"] });
    await arrived(one.bus, two.bus, third.bus);
    // Were it told itself, it would be by now: it hears another one later.
    await arrived(two.bus, one.bus);
    expect(heard.sort()).toEqual(['third {"a":[1,null,"ä"]}', 'two {"a":[1,null,"ä"]}']);
  });

  it("keeps the order of a sender, and topics apart", async () => {
    const { one, two, heard, hear } = await three();
    two.bus.subscribe("t", hear("t"));
    two.bus.subscribe("u", hear("u"));
    await arrived(one.bus, two.bus);
    for (let at = 0; at < 50; at++) one.bus.publish(at % 2 ? "t" : "u", at);
    await arrived(one.bus, two.bus);
    expect(heard).toEqual(Array.from({ length: 50 }, (_, at) => `${at % 2 ? "t" : "u"} ${at}`));
  });

  it("tells each subscription once, and none that has ended", async () => {
    const { one, two, heard, hear } = await three();
    const same = hear("same");
    const [first, second] = [two.bus.subscribe("t", same), two.bus.subscribe("t", same)];
    two.bus.subscribe("t", hear("stays"));
    await arrived(one.bus, two.bus);
    const publish = async (message: number) => {
      heard.length = 0;
      one.bus.publish("t", message);
      await arrived(one.bus, two.bus);
      return heard;
    };
    expect(await publish(1)).toEqual(["same 1", "same 1", "stays 1"]);
    first();
    first();
    expect(await publish(2)).toEqual(["same 2", "stays 2"]);
    second();
    expect(await publish(3)).toEqual(["stays 3"]);
  });

  it("neither loses nor doubles anything while one generation follows another", async () => {
    const { one, two: old, third: next, heard, hear } = await three();
    old.bus.subscribe("t", hear("old"));
    next.bus.subscribe("t", hear("next"));
    await arrived(one.bus, old.bus, next.bus);
    one.bus.publish("t", 1);
    await arrived(one.bus, old.bus, next.bus);
    old.close();
    one.bus.publish("t", 2);
    await arrived(one.bus, next.bus);
    expect(heard.sort()).toEqual(["next 1", "next 2", "old 1"]);
  });

  it("goes on when a listener fails", async () => {
    const { one, two, heard, hear } = await three();
    two.bus.subscribe("t", () => {
      throw new Error("no luck");
    });
    two.bus.subscribe("t", hear("other"));
    await arrived(one.bus, two.bus);
    one.bus.publish("t", 1);
    await arrived(one.bus, two.bus);
    expect(heard).toEqual(["other 1"]);
  });
}
