import { expect, it } from "vitest";
import { environmentOf } from "../config/index.ts";
import { defineProvider, z } from "../provider-kit/index.ts";
import { loaderWith } from "../test-kit/loader-with.ts";
import { conformance } from "./conformance.ts";
import { temporaryFolder } from "./testing.ts";

const provider = (name: string, more: object = {}) =>
  defineProvider({
    name,
    summary: "A vendor.",
    baseUrl: "https://vendor.example/v1",
    operations: { chat: { format: "openai-chat", ...more }, embed: "openai-embeddings" },
  });

const loader = loaderWith({
  providers: [
    provider("sound"),
    provider("leaky", {
      path: "/chat",
      rewrite: { when: ["{"], apply: ({ model: _, ...wire }: Record<string, unknown>) => wire },
    }),
    defineProvider({
      name: "numbered",
      summary: "A vendor.",
      options: z.strictObject({ account: z.string().regex(/^\d+$/) }),
      baseUrl: ({ account }) => `https://${account}.vendor.example`,
      operations: { embed: "openai-embeddings" },
    }),
  ],
});

it("prints a table", async () => {
  expect(await conformance("sound", {}, { loader })).toEqual({
    exitCode: 0,
    err: "",
    out: `operation  format             client              whole  streamed  tools  images  errors  abort  usage
chat       openai-chat        openai-chat         ok     ok        ok     ok      ok      ok     ok
chat       openai-chat        anthropic-messages  ok     ok        ok     ok      ok      ok     ok
embed      openai-embeddings  openai-embeddings   ok     -         -      -       ok      ok     ok
embed      openai-embeddings  cohere-embeddings   ok     -         -      -       ok      ok     ok

sound conforms.
`,
  });
});

it("says what failed, and ends with 1", async () => {
  const { exitCode, out } = await conformance("leaky", {}, { loader });
  expect(exitCode).toBe(1);
  expect(out).toMatch(/^chat +openai-chat +openai-chat +failed/m);
  expect(out).toMatch(/leaky fails:\n {2}chat \(openai-chat\): whole.*: .*model/);
});

it("gives the same to machines", async () => {
  const { exitCode, out } = await conformance("leaky", { json: true }, { loader });
  expect(exitCode).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ provider: "leaky", rows: [{ operation: "chat" }, {}, {}, {}] });
});

it("replays the fixtures beside a built-in provider", async () => {
  const { exitCode, out } = await conformance("ollama");
  expect(out).toMatch(/^embed-one-text +ok$/m);
  expect(exitCode).toBe(0);
});

it("reads options from a file, with variables", async () => {
  const folder = temporaryFolder({ "options.yaml": 'account: "${ACCOUNT}"\n', "list.yaml": "[1]\n" });
  const environment = environmentOf({ ACCOUNT: "1234" });
  expect(await conformance("numbered", {}, { loader })).toMatchObject({ exitCode: 1, out: "" });
  const options = `${folder}/options.yaml`;
  expect(await conformance("numbered", { options }, { loader, environment })).toMatchObject({ exitCode: 0 });
  expect((await conformance("numbered", { options }, { loader, environment: environmentOf({}) })).err).toContain(
    "ACCOUNT",
  );
  expect((await conformance("numbered", { options: `${folder}/list.yaml` }, { loader })).exitCode).toBe(1);
});

it("tells that there is no such provider", async () => {
  expect(await conformance("olama")).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('did you mean "ollama"?'),
  });
});
