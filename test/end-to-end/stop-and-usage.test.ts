import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anthropicClient, openAiClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment } from "../support/deployment.ts";

const long = "One two three four five six seven eight nine ten.";

/** The simulator counts tokens, honours limits and reads cache markers: what it reports is exact. */
describe.each(["openai", "anthropic"] as const)("stop reasons and usage of %s", (provider) => {
  let deployment: Deployment;
  const model = `${provider}/small-1`;
  beforeAll(async () => {
    deployment = await startDeployment("simulator");
  });
  afterAll(() => deployment.close());
  const openai = () => openAiClient({ url: deployment.gateway.url, key: gatewayKey }).chat.completions;
  const anthropic = () => anthropicClient({ url: deployment.gateway.url, key: gatewayKey }).messages;

  it.each([false, true])("tells the OpenAI client that the limit was reached (streamed: %s)", async (stream) => {
    const request = { model, max_completion_tokens: 5, messages: [{ role: "user" as const, content: long }] };
    const { choices } = stream ? await openai().stream(request).finalChatCompletion() : await openai().create(request);
    expect(choices[0]?.finish_reason).toBe("length");
  });

  it.each([false, true])("tells the Anthropic client that the limit was reached (streamed: %s)", async (stream) => {
    const request = { model, max_tokens: 5, messages: [{ role: "user" as const, content: long }] };
    const answer = stream ? await anthropic().stream(request).finalMessage() : await anthropic().create(request);
    expect(answer.stop_reason).toBe("max_tokens");
  });

  it.each([false, true])("stops where the OpenAI client said (streamed: %s)", async (stream) => {
    const request = {
      model,
      max_completion_tokens: 99,
      stop: ["three"],
      messages: [{ role: "user" as const, content: long }],
    };
    const { choices } = stream ? await openai().stream(request).finalChatCompletion() : await openai().create(request);
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: expect.stringMatching(/two $/) } });
  });

  it.each([false, true])("names the stop sequence to the Anthropic client (streamed: %s)", async (stream) => {
    const request = {
      model,
      max_tokens: 99,
      stop_sequences: ["three"],
      messages: [{ role: "user" as const, content: long }],
    };
    const answer = stream ? await anthropic().stream(request).finalMessage() : await anthropic().create(request);
    // A vendor of the other format does not say which sequence it was, so it cannot be told.
    expect(answer).toMatchObject(
      provider === "anthropic"
        ? { stop_reason: "stop_sequence", stop_sequence: "three" }
        : { stop_reason: "end_turn", stop_sequence: null },
    );
  });

  it.each([false, true])("reports cached tokens to the OpenAI client (streamed: %s)", async (stream) => {
    const request = {
      model,
      max_completion_tokens: 99,
      messages: [
        {
          role: "system" as const,
          content: [{ type: "text" as const, text: long, cache_control: { type: "ephemeral" } }],
        },
        { role: "user" as const, content: "Go on." },
      ],
    };
    const { usage } = stream
      ? await openai()
          .stream({ ...request, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await openai().create(request);
    expect(usage).toMatchObject({ prompt_tokens: 12, prompt_tokens_details: { cached_tokens: 10 } });
    expect(usage?.total_tokens).toBe(12 + (usage?.completion_tokens ?? 0));
  });

  it.each([false, true])("reports cached tokens to the Anthropic client (streamed: %s)", async (stream) => {
    const cache_control = { type: "ephemeral" as const };
    const request = {
      model,
      max_tokens: 99,
      system: [{ type: "text" as const, text: long, cache_control }],
      messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Go on.", cache_control }] }],
    };
    const { usage } = stream ? await anthropic().stream(request).finalMessage() : await anthropic().create(request);
    // The other API has no markers: they are left out, and all tokens are fresh ones.
    expect(usage).toMatchObject(
      provider === "anthropic"
        ? { input_tokens: 0, cache_read_input_tokens: 10, cache_creation_input_tokens: 2 }
        : { input_tokens: 12, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    );
  });

  it("keeps cache markers for a vendor that has them, and says so when it drops them", async () => {
    const { response } = await anthropic()
      .create({
        model,
        max_tokens: 99,
        system: [{ type: "text", text: long, cache_control: { type: "ephemeral", ttl: "1h" } }],
        messages: [{ role: "user", content: "Go on." }],
      })
      .withResponse();
    const sent = deployment.recorder.last().body.toString();
    if (provider === "anthropic") expect(sent).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}');
    else expect(sent).not.toContain("cache_control");
    expect(response.headers.get("x-gateway-dropped-params")).toBe(
      provider === "anthropic" ? null : "messages.cache_control",
    );
  });
});
