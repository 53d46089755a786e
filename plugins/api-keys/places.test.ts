import { describe, expect, it } from "vitest";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import type { NewKey } from "./keys.ts";
import { keyDeployment, organisation } from "./testing.ts";

const personal: NewKey = {
  type: "workspace-user",
  workspace_id: "22222222-2222-4222-8222-222222222222",
  user_id: "33333333-3333-4333-8333-333333333333",
  name: "n",
  scopes: ["completions.write"],
  creation_mode: "api",
};

/** Two processes over one store; the clock of the second one is behind. */
function processes() {
  const store = new MemoryRecords();
  const [one, two] = [keyDeployment({ store }), keyDeployment({ store })];
  two.clock.now -= 5;
  const issue = ({ places }: typeof one, limit: number) => places.issue(organisation, personal, { limit });
  const count = async () => (await one.keys.store.select(organisation)).total;
  return { one, two, issue, count };
}

const full = { details: { param: "user_id" } };

describe("the places for keys of people in a workspace", () => {
  it("are as many when several processes make keys at the same time", async () => {
    const { one, two, issue, count } = processes();
    const made = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => issue(at % 2 ? one : two, 3)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await count()).toBe(3);
  });

  it("are taken while a key is being made elsewhere, however the clocks differ", async () => {
    const { one, two, issue, count } = processes();
    const make = two.keys.issue.bind(two.keys);
    two.keys.issue = async (...given) => {
      await expect(issue(one, 1)).rejects.toMatchObject(full);
      return make(...given);
    };
    await issue(two, 1);
    expect(await count()).toBe(1);
  });

  it("are free again where a key was not made after all, or a process ended over it", async () => {
    const { one, two, issue, count } = processes();
    two.keys.issue = () => Promise.reject(new Error("down"));
    await expect(issue(two, 1)).rejects.toThrow("down");
    await issue(one, 1);
    await new Promise<void>((reached) => {
      two.keys.issue = () => {
        reached();
        return new Promise(() => {});
      };
      void issue(two, 2);
    });
    await expect(issue(one, 2)).rejects.toMatchObject(full);
    one.clock.now += 60_001;
    await issue(one, 2);
    expect(await count()).toBe(2);
  });
});
