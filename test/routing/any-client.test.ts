import fc from "fast-check";
import { it } from "vitest";
import { chance } from "../support/chance.ts";
import { clients } from "./clients/clients.ts";
import { lostOf, mannerOf } from "./clients/expected-of-client.ts";
import { type Client, chatSpeech, geminiSpeech, messagesSpeech, responsesSpeech } from "./clients/speech.ts";
import { RoutingDeployment } from "./deployment.ts";
import { expectAsked, expectExplained } from "./expectations.ts";
import { type Asked, type Fields, requests, type Tree, trees, withoutHosts } from "./trees.ts";
import { type Behaviour, failings } from "./vendors.ts";
import { WalkModel } from "./walk-model.ts";

const behaviour = fc.constantFrom<Behaviour>(
  { kind: "well" },
  { kind: "well" },
  { kind: "well" },
  ...[400, 404, 429, 503, 529].map((status) => ({ kind: "refuses" as const, status })),
  { kind: "refuses", status: 429, headers: { "retry-after": "2" } },
  { kind: "refuses", status: 429, headers: { "retry-after": "60" } },
  ...failings,
);

const scenarios = fc.record({
  client: fc.constantFrom(...clients.map(({ name }) => name)),
  tree: trees,
  draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  request: requests,
  strictness: fc.constantFrom(undefined, undefined, "true", "false"),
  script: fc.array(behaviour, { minLength: 1, maxLength: 8 }),
});

const uses = { p1: "anthropic", p2: "google", p3: "lambda" };

/** OpenAI speaks two formats, and the one of its client where it can. */
const vendorsOf = (client: Client) => (slug: string) => {
  const provider = (uses as Readonly<Record<string, string>>)[slug] ?? "openai";
  const own = client.speech === responsesSpeech ? responsesSpeech : chatSpeech;
  return { provider, speech: { anthropic: messagesSpeech, google: geminiSpeech, openai: own }[provider] ?? chatSpeech };
};

/** A config as clients of a format write it, for their own bodies: of those it does not drop what they have to say. */
const writtenFor = ({ messages }: Client, tree: Tree): Tree =>
  JSON.parse(JSON.stringify(tree).replaceAll('"messages[', `"${messages}[`), (key, value) =>
    key === "drop_params" ? value.filter((path: string) => path !== "max_tokens") : value,
  );

it("clients of every format are sent on and answered alike, each in its own words, whoever answers", async () => {
  const deployment = await RoutingDeployment.start(uses);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ client: name, tree, draw, request, strictness, script }) => {
      const client = clients.find((one) => one.name === name) as Client;
      const config = writtenFor(client, withoutHosts({ ...tree, metadata: { ...tree.metadata, run: `${run++}` } }));
      const { messages, tools: _, ...more } = request.body;
      const texts = (messages as { readonly content: string }[]).map(({ content }) => content);
      const body = client.write(texts, more);
      const asked: Asked = {
        path: client.sent(body).path,
        headers: { ...request.headers, ...(strictness && { "x-gateway-strict-params": strictness }) },
        body,
      };
      deployment.draw(draw);
      const text = JSON.stringify(config);
      const vendorOf = vendorsOf(client);
      const isRefused = (body: Fields, slug: string) =>
        strictness === "true" && lostOf(client, body, vendorOf(slug)).length > 0;
      const predict = (answer: (call: number) => Behaviour, judges: boolean) =>
        new WalkModel(asked, draw, answer, { judges, textsIn: client.texts, isRefused }).predict(config);
      const answer = (call: number) => script[call % script.length] ?? { kind: "well" as const };
      const manner = mannerOf(client, vendorOf);
      deployment.vendors.follow(script);
      await expectAsked(deployment, asked, text, predict(answer, true), manner);
      await expectExplained(deployment, asked, text, (how) => predict(how, false), manner);
    }),
    chance(60),
  );
});
