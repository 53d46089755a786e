import { expect, it, onTestFinished } from "vitest";
import { definePlugin, GatewayError, Management, makeIfStill, z } from "../../core/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";

/** A gateway with a plugin of somebody else, whose one operation does this. */
async function start(run: () => unknown) {
  const plugin = definePlugin({
    name: "teams",
    summary: "Manages teams.",
    options: z.strictObject({}),
    needs: [Management],
    setup({ service }) {
      service(Management).operation({
        method: "GET",
        path: "/teams/{id}",
        tag: "teams",
        summary: "Reads a team.",
        scopes: [],
        key: "anyone",
        answer: z.object({}),
        run,
      });
    },
  });
  const gateway = await startGateway({
    plugins: [plugin],
    config: {
      server: { hookDeadline: 10, clocks: { total: 20 } },
      plugins: { "auth-open": {}, management: {}, teams: {} },
    },
  });
  onTestFinished(gateway.close);
  return gateway;
}

it.each<[string, () => unknown, string]>([
  ["never settles", () => new Promise(() => {}), "did not settle within 20 ms"],
  ["fails", () => Promise.reject(new Error("the list is closed")), "the list is closed"],
])("an operation of another plugin that %s is told of that plugin", async (_, run, why) => {
  const { fetch, log } = await start(run);
  const answer = await fetch("/v1/teams/7");
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: "AB04" } }]);
  const [told] = log.lines.flatMap(({ fields }) => String(fields.error ?? []));
  expect(told).toBe(`Error: [plugin teams] GET /v1/teams/:id: ${why}`);
});

it.each<[string, () => Promise<unknown>, object[]]>([
  [
    "is told where it cannot be taken back",
    () => Promise.reject(new Error("the disk is full")),
    [{ error: new Error("the disk is full") }],
  ],
  ["is not where it was taken back", async () => undefined, []],
])("a write that is refused once it is kept %s", async (_, takeBack, told) => {
  const gone = () => {
    throw new GatewayError("record_invalid", "It is no longer there.", { param: "team" });
  };
  const { fetch, log } = await start(() => makeIfStill(async () => 7, gone, takeBack));
  const answer = await fetch("/v1/teams/7?token=secret");
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: "AB01", param: "team" } }]);
  const lines = log.lines.filter(({ level }) => level === "error").map(({ fields }) => fields);
  expect(lines).toEqual(
    told.map((one) => ({ request: expect.any(String), method: "GET", url: "/v1/teams/7", ...one })),
  );
});
