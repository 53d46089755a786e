import { expect, it } from "vitest";
import { CheckError, type CheckTools, GatewayError } from "../../core/index.ts";
import moderateContent from "./families/gateway/moderateContent.ts";

/** Runs the check with a provider that flags hate, or fails. */
function moderated(call: CheckTools["call"]) {
  const tools: CheckTools = {
    trusted: true,
    credentials: { moderationProvider: "openai" },
    ask: () => Promise.reject(new Error("nobody else is asked")),
    call,
    forwarded: {},
    recall: () => undefined,
    remember: () => undefined,
    now: () => 0,
  };
  const parameters = moderateContent.parameters.parse({ categories: ["hate"] });
  return moderateContent.run({ text: "x", texts: ["x"], target: "request" }, parameters, tools);
}

it("asks a provider of the deployment where there is no service", async () => {
  const asked: unknown[] = [];
  const result = await moderated((async (call: unknown) => {
    asked.push(call);
    return { response: { results: [{ flagged: true, categories: { hate: true }, scores: {} }] } };
  }) as CheckTools["call"]);
  expect(asked).toEqual([
    { provider: "openai", operation: "moderate", body: { model: "omni-moderation-latest", input: "x" } },
  ]);
  expect(result).toMatchObject({ verdict: false, data: { flaggedCategories: ["hate"] } });
});

it("fails where that provider does", async () => {
  const failing = moderated(() => Promise.reject(new GatewayError("upstream_failed", "It answered 500.")));
  await expect(failing).rejects.toMatchObject({ message: "It answered 500.", verdict: false });
  await expect(failing).rejects.toBeInstanceOf(CheckError);
});
