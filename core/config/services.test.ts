import { describe, expect, it } from "vitest";
import { missingServices, orderByServices } from "./services.ts";
import { fakePlugin } from "./testing.ts";

const named = (name: string, needs: readonly string[], provides: readonly string[] = []) => ({
  name,
  plugin: fakePlugin(name, undefined, { needs, provides }),
});
const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name);

describe("the order of plugins", () => {
  it("is that of the file when nobody needs anything", () => {
    const { ordered, problems } = orderByServices([named("c", []), named("a", []), named("b", [])]);
    expect(namesOf(ordered)).toEqual(["c", "a", "b"]);
    expect(problems).toEqual([]);
  });

  it("moves only those that have to wait, and no further than needed", () => {
    const { ordered } = orderByServices([
      named("logs", ["records"], ["logs"]),
      named("auth", []),
      named("console", ["logs", "records"]),
      named("store", [], ["records"]),
      named("last", []),
    ]);
    expect(namesOf(ordered)).toEqual(["auth", "store", "logs", "console", "last"]);
  });

  it("does not wait for a service nobody provides, which is reported elsewhere", () => {
    const plugins = [named("a", ["nothing"]), named("b", [])];
    expect(namesOf(orderByServices(plugins).ordered)).toEqual(["a", "b"]);
    expect(missingServices(plugins)).toEqual([{ name: "a", service: "nothing" }]);
  });
});

it("tells a circle from those that only wait for it", () => {
  const { ordered, problems } = orderByServices([
    named("waits", ["x"]),
    named("first", ["y"], ["x"]),
    named("second", ["x"], ["y"]),
  ]);
  expect(problems).toEqual([{ name: "first", message: "waits for its own service: first needs second needs first" }]);
  expect(ordered).toHaveLength(3);
});

it("tells a plugin that needs what it provides itself", () => {
  const { problems } = orderByServices([named("a", ["x"], ["x"])]);
  expect(problems).toEqual([{ name: "a", message: "waits for its own service: a needs a" }]);
});
