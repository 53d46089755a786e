import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment } from "../support/deployment.ts";
import { vendorNames } from "../support/vendors.ts";

describe.each(vendorNames)("embeddings of %s", (vendor) => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment(vendor);
  });
  afterAll(() => deployment.close());
  const client = () => openAiClient({ url: deployment.gateway.url, key: gatewayKey });

  it.each(["float", "base64"] as const)(
    "are numbers for the OpenAI client, asked for as %s",
    async (encoding_format) => {
      const input = ["one text", "another"];
      const { data, model } = await client().embeddings.create({ model: "openai/embed-1", input, encoding_format });
      expect(model).toBe("embed-1");
      expect(data.map(({ index }) => index)).toEqual([0, 1]);
      const [first] = data;
      // Asked for base64 by name, this client hands over what it got.
      const vector = first?.embedding;
      const floats =
        typeof vector === "string"
          ? [...new Float32Array(new Uint8Array(Buffer.from(vector, "base64")).buffer)]
          : vector;
      expect(floats?.length).toBeGreaterThan(0);
      expect(floats?.every(Number.isFinite)).toBe(true);
      expect(JSON.parse(deployment.recorder.last().body.toString())).toEqual({
        model: "embed-1",
        input,
        encoding_format,
      });
    },
  );

  it("pass on byte for byte in both directions", async () => {
    const body = '{ "input":"x",\n "unheard_of": 1.0, "model":"openai/embed-1" }';
    const headers = { authorization: `Bearer ${gatewayKey}`, "content-type": "application/json" };
    const response = await fetch(`${deployment.gateway.url}/v1/embeddings`, { method: "POST", headers, body });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(deployment.recorder.last().body.toString()).toBe(body.replace("openai/", ""));
    expect(bytes.equals(deployment.recorder.last().answer)).toBe(true);
  });

  it("are refused for a vendor that has none", async () => {
    const asked = client().embeddings.create({ model: "anthropic/embed-1", input: "x" });
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining("not supported by anthropic") });
  });
});

describe("text completions", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment("simulator");
  });
  afterAll(() => deployment.close());
  const completions = () => openAiClient({ url: deployment.gateway.url, key: gatewayKey }).completions;
  const request = { model: "openai/davinci-1", prompt: "Once upon a time", max_tokens: 50 };

  it("are given whole", async () => {
    const { choices, usage, object } = await completions().create({ ...request, n: 2 });
    expect(object).toBe("text_completion");
    expect(choices).toHaveLength(2);
    expect(choices[0]).toMatchObject({
      index: 0,
      finish_reason: "stop",
      text: "Simulated answer from davinci-1: Once upon a time",
    });
    expect(usage?.prompt_tokens).toBe(4);
  });

  it("are given as a stream", async () => {
    const stream = await completions().create({ ...request, stream: true, stream_options: { include_usage: true } });
    let text = "";
    let used: number | undefined;
    for await (const { choices, usage } of stream) {
      text += choices[0]?.text ?? "";
      used = usage?.prompt_tokens ?? used;
    }
    expect(text).toBe("Simulated answer from davinci-1: Once upon a time");
    expect(used).toBe(4);
    expect(deployment.recorder.last().answer.toString().endsWith("data: [DONE]\n\n")).toBe(true);
  });
});
