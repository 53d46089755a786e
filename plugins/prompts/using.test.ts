import { describe, expect, it } from "vitest";
import { openAiClient } from "../../test/support/clients.ts";
import { openLibrary } from "./testing.ts";

const { gateway, admin, as, organisation, workspace, here, there, other, make } = await openLibrary({
  retry: {},
  "cache-memory": {},
  cache: {},
  "strategy-fallback": {},
});

type Call = Record<string, unknown>;
const render = (ref: string, call: Call = {}, headers = {}) => here("POST", `/prompts/${ref}/render`, call, headers);
const complete = (ref: string, call: Call = {}, headers = {}) =>
  here("POST", `/prompts/${ref}/completions`, call, headers);
/** What a line of the log says, the last one of its kind. */
const logged = <Fields>(message: string) =>
  gateway.log.lines.findLast((line) => line.message === message)?.fields as Fields | undefined;
const content = (answer: { body: { choices: { message: { content: string } }[] } }) =>
  answer.body.choices[0]?.message.content;
const label = async (name: string): Promise<string> => (await here("GET", `/labels?search=${name}`)).body.data[0].id;
const versionsOf = async (id: string): Promise<{ id: string; prompt_version: number }[]> =>
  (await here("GET", `/prompts/${id}/versions`)).body;
const attach = async (id: string, number: number, name: string) => {
  const version = (await versionsOf(id)).find((one) => one.prompt_version === number);
  await here("PUT", `/prompts/${id}/versions/${version?.id}`, { label_id: await label(name) });
};

describe("rendering a prompt", async () => {
  it("gives the request it comes to", async () => {
    const { slug } = await make({ parameters: { temperature: 0, max_tokens: 256, top_p: 1, stream: true } });
    const call = { variables: { name: "Ana" }, model: "n", temperature: 0.9, top_p: null, max_completion_tokens: 80 };
    const answered = await render(slug, { ...call, hyperparameters: { n: 3 } });
    expect(answered).toMatchObject({ status: 200 });
    expect(answered.headers.get("x-gateway-prompt-version")).toBe("1");
    expect(answered.headers.get("x-gateway-prompt-missing-variables")).toBeNull();
    expect(answered.body).toEqual({
      success: true,
      data: {
        temperature: 0.9,
        stream: true,
        model: "n",
        max_completion_tokens: 80,
        messages: [{ role: "user", content: "Hello Ana" }],
      },
    });
    expect((await here("POST", `/v2/prompts/${slug}/render`, {})).status).toBe(200);
  });

  it("says what was missing, and works without a body", async () => {
    const { slug } = await make({
      string: `Hi ${Array.from({ length: 25 }, (_, at) => `{{v ${at}}}`).join("")}{{ü,}}`,
    });
    const { headers } = await here("POST", `/prompts/${slug}/render`);
    const names = headers.get("x-gateway-prompt-missing-variables")?.split(",") ?? [];
    expect(names).toHaveLength(20);
    expect(names[0]).toBe("v%200");
    const { headers: short } = await render(slug, {
      variables: Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`v ${at}`, at])),
    });
    expect(short.get("x-gateway-prompt-missing-variables")).toBe("%C3%BC%2C");
  });

  it("follows the references of 8.11, with moves seen by the next call", async () => {
    const { id, slug } = await make({ name: "v1", string: "1" });
    for (const string of ["2", "3", "4"]) await here("PUT", `/prompts/${id}`, { patch: true, string });
    await here("PUT", `/prompts/${id}/makeDefault`, { version: 2 });
    const canary = (await here("POST", "/labels", { name: "canary-eu" })).body.id as string;
    await attach(id, 4, "staging");
    await attach(id, 2, "production");
    await attach(id, 3, "canary-eu");
    const version = async (ref: string) => {
      const { status, body, headers } = await render(ref);
      if (status !== 200) return body.error.reason;
      expect(headers.get("x-gateway-prompt-version")).toBe(body.data.messages[0].content);
      return Number(body.data.messages[0].content);
    };
    const table: [string, number | string][] = [
      [slug, 2],
      [id, 2],
      [`${slug}@latest`, 4],
      [`${slug}@default`, 2],
      [`${slug}@3`, 3],
      [`${slug}@003`, 3],
      [`${slug}%40staging`, 4],
      [`${slug}@canary-eu`, 3],
      [`${slug}@production`, 2],
      [`${slug}@9`, "prompt_version_not_found"],
      [`${slug}@0`, "prompt_version_not_found"],
      [`${slug}@development`, "prompt_label_not_found"],
      [`${slug}@`, "prompt_label_not_found"],
      ["pp-nothing-000000", "prompt_not_found"],
      [`${"x".repeat(300)}`, "prompt_not_found"],
      ["%00", "prompt_not_found"],
    ];
    for (const [ref, expected] of table) expect([ref, await version(ref)]).toEqual([ref, expected]);
    await attach(id, 4, "canary-eu");
    expect(await version(`${slug}@canary-eu`)).toBe(4);
    await here("PUT", `/labels/${canary}`, { name: "canary-us" });
    expect(await version(`${slug}@canary-us`)).toBe(4);
    expect(await version(`${slug}@canary-eu`)).toBe("prompt_label_not_found");
    await here("DELETE", `/labels/${canary}`);
    expect(await version(`${slug}@canary-us`)).toBe("prompt_label_not_found");
    await here("PUT", `/prompts/${id}/makeDefault`, { version: 4 });
    expect(await version(slug)).toBe(4);
    expect(await version(`${slug}@production`)).toBe(2);
    await here("DELETE", `/prompts/${id}`);
    expect(await version(slug)).toBe("prompt_not_found");
    expect(await version(`${slug}@1`)).toBe("prompt_not_found");
  });

  it("uses the partial that is published at the time", async () => {
    const { slug: partial } = (await here("POST", "/prompts/partials", { name: "p", string: "Be {{how}}." })).body;
    const { slug } = await make({ string: `Hi. {{>${partial}}} {{>${partial}@1}}{{>${partial}@latest}}` });
    const said = async () => (await render(slug, { variables: { how: "calm" } })).body.data.messages[0].content;
    expect(await said()).toBe("Hi. Be calm. Be calm.Be calm.");
    await here("PUT", `/prompts/partials/${partial}`, { string: "Short!" });
    expect(await said()).toBe("Hi. Be calm. Be calm.Short!");
    await here("PUT", `/prompts/partials/${partial}/makeDefault`, { version: 2 });
    expect(await said()).toBe("Hi. Short! Be calm.Short!");
    await here("PUT", `/prompts/partials/${partial}`, { status: "archived" });
    expect((await render(slug)).body.error).toMatchObject({ reason: "partial_not_found", code: "AB08" });
    await here("PUT", `/prompts/partials/${partial}`, { status: "active" });
    expect((await render(slug)).status).toBe(200);
    await here("DELETE", `/prompts/partials/${partial}`);
    expect(await render(slug)).toMatchObject({ status: 404, body: { error: { reason: "partial_not_found" } } });
  });

  const strict = (await make({ string: "Hi {{b}}{{a}}", template_metadata: { strict_variables: true } })).slug;
  const raw = (await make({ string: "[{{history}}]", is_raw_template: 1 })).slug;
  const long = (await make({ string: "Hi {{a}}{{a}}" })).slug;
  const supplied = (await make({ string: "Hi {{>>a}}" })).slug;
  const circular = (await here("POST", "/prompts/partials", { name: "c", string: "x" })).body.slug as string;
  await here("PUT", `/prompts/partials/${circular}`, { string: `{{>${circular}@latest}}` });
  const cycle = (await make({ string: `Hi {{>${circular}@latest}}` })).slug;
  const refusals: [string, string, unknown, number, string | undefined, string | null][] = [
    ["a body that is no object", long, [1], 400, undefined, "body"],
    ["broken JSON", long, "{", 400, undefined, null],
    ["variables that are no object", long, { variables: [] }, 400, "prompt_variables_invalid", "variables"],
    ["variables that are null", long, { variables: null }, 400, "prompt_variables_invalid", "variables"],
    ["a body that is too deep", long, `{"a":${"[".repeat(500)}${"]".repeat(500)}}`, 400, undefined, "body"],
    ["what is missing in a strict prompt", strict, {}, 400, "prompt_variables_missing", "variables"],
    [
      "what is no JSON in the end",
      raw,
      { variables: { history: "User: hi" } },
      400,
      "prompt_render_invalid_json",
      "variables",
    ],
    [
      "what is no list of messages in the end",
      raw,
      { variables: { history: [1] } },
      400,
      "prompt_render_invalid_messages",
      "messages",
    ],
    ["what is too long in the end", long, { variables: { a: "x".repeat(5_500_000) } }, 400, "prompt_too_large", null],
    [
      "a supplied partial that is none",
      supplied,
      { variables: { a: "{{#x}}" } },
      400,
      "prompt_variables_invalid",
      'variables["a"]',
    ],
    [
      "a supplied partial that names one that is not there",
      supplied,
      { variables: { a: "{{>pl-x}}" } },
      404,
      "partial_not_found",
      "string",
    ],
    ["a partial that includes itself", cycle, {}, 400, "partial_cycle", "string"],
    [
      "a supplied partial that includes itself",
      supplied,
      { variables: { a: "{{>>a}}" } },
      400,
      "partial_cycle",
      "string",
    ],
  ];
  it.each(refusals)("refuses %s", async (_, ref, call, status, reason, param) => {
    const { status: answered, body } = await here("POST", `/prompts/${ref}/render`, call);
    expect({ answered, ...body.error }).toMatchObject({ answered: status, param, ...(reason && { reason }) });
    expect(body).toMatchObject({ success: false, data: { errorCode: status === 404 ? "AB08" : "AB01" } });
    if (reason === "prompt_variables_missing") expect(body.error.message).toBe("Missing variables: a, b");
  });

  it.each(refusals.filter(([, , , , reason]) => reason))(
    "refuses to complete %s in the same way",
    async (_, ref, call, status, reason, param) => {
      const { status: answered, body } = await here("POST", `/prompts/${ref}/completions`, call);
      expect({ answered, ...body.error }).toMatchObject({ answered: status, param, reason });
      expect(body).toMatchObject({ success: false, data: { errorCode: status === 404 ? "AB08" : "AB01" } });
    },
  );

  it("needs a body in JSON", async () => {
    const { body } = await here("POST", `/prompts/${long}/render`, "a=1", {
      "content-type": "multipart/form-data; boundary=x",
    });
    expect(body.error).toMatchObject({ code: "AB01", param: "content-type" });
  });
});

describe("completing a prompt", async () => {
  const { id, slug, version_id } = await make({
    parameters: { stream: true, stream_options: { include_usage: true }, temperature: 0 },
  });

  it("answers as a chat completion does, whole unless the call asks for a stream", async () => {
    const answered = await complete(slug, { variables: { name: "Ana" } });
    expect(answered).toMatchObject({ status: 200, body: { object: "chat.completion", model: "m" } });
    expect(content(answered)).toBe("Simulated answer from m: Hello Ana");
    const header = (name: string) => answered.headers.get(`x-gateway-${name}`);
    expect(header("prompt-version")).toBe("1");
    expect(header("provider")).toBe("simulator");
    expect(header("trace-id")).toBeTruthy();
    expect(header("prompt-missing-variables")).toBeNull();
    expect((await complete(slug)).headers.get("x-gateway-prompt-missing-variables")).toBe("name");
  });

  it.each(["/v1", "/v2"])("is done by OpenAI's own client below %s, whole and streamed", async (version) => {
    const client = openAiClient({
      url: gateway.url,
      headers: { "x-test-principal": JSON.stringify({ id: "sdk", organisation, workspace: workspace.id }) },
    });
    client.baseURL = `${gateway.url}${version}/prompts/${slug}%40latest`;
    const call = { variables: { name: "Bo" } } as unknown as { model: string; messages: [] };
    client.post = (
      (post) => (path: string, options: never) =>
        post(path.replace("/chat", ""), options)
    )(client.post.bind(client)) as typeof client.post;
    const whole = await client.chat.completions.create(call);
    expect(whole.choices[0]?.message.content).toBe("Simulated answer from m: Hello Bo");
    const { data: stream, response } = await client.chat.completions.create({ ...call, stream: true }).withResponse();
    expect(response.headers.get("x-gateway-prompt-version")).toBe("1");
    const pieces: string[] = [];
    let usage: unknown;
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? "");
      usage = chunk.usage ?? usage;
    }
    expect(pieces.join("")).toBe("Simulated answer from m: Hello Bo");
    expect(pieces.length).toBeGreaterThan(2);
    expect(usage).toMatchObject({ total_tokens: expect.any(Number) });
  });

  it("answers as a text completion does where the template is for one", async () => {
    const { slug: texts } = await make({
      string: "Translate to {{lang}}:",
      template_metadata: { template_type: "completion" },
      parameters: { max_tokens: 60 },
    });
    expect(await complete(texts, { variables: { lang: "Finnish" } })).toMatchObject({
      status: 200,
      body: { object: "text_completion", choices: [{ text: expect.stringContaining("Translate to Finnish:") }] },
    });
    expect(await complete(texts, { n: 500 })).toMatchObject({ status: 400, body: { error: { param: "n" } } });
  });

  it("goes where a config, a header, the model or the version says, in this order", async () => {
    const { slug: elsewhere } = await make({ virtual_key: "other" });
    const { slug: prefixed } = await make({ model: "@other/n" });
    const slash = (await make({ model: "simulator/n", virtual_key: "other" })).slug;
    const config = (provider: string) => ({ "x-gateway-config": JSON.stringify({ provider }) });
    const sent = async (ref: string, call: Call, headers = {}) => {
      await complete(ref, call, headers);
      const line = logged<{ provider: string; model: string }>("request");
      return `${line?.provider} ${line?.model}`;
    };
    expect(await sent(elsewhere, {})).toBe("other m");
    expect(await sent(prefixed, {})).toBe("other n");
    expect(await sent(slash, {})).toBe("other simulator/n");
    expect(await sent(elsewhere, { model: "@simulator/x" })).toBe("simulator x");
    expect(await sent(elsewhere, {}, { "x-gateway-provider": "simulator" })).toBe("simulator m");
    expect(await sent(elsewhere, {}, { "x-gateway-virtual-key": "simulator" })).toBe("simulator m");
    expect(await sent(elsewhere, {}, { ...config("@simulator"), "x-gateway-provider": "other" })).toBe("simulator m");
    expect(await sent(elsewhere, {}, { "x-gateway-config": JSON.stringify({ retry: { attempts: 1 } }) })).toBe(
      "other m",
    );
  });

  it("does not go elsewhere when its provider is gone", async () => {
    const { slug: gone } = await make({ virtual_key: "kept-away" });
    const refused = await complete(gone);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      403,
      expect.stringContaining("provider_not_available"),
    ]);
    expect((await render(gone)).status).toBe(200);
    expect((await complete(gone, {}, { "x-gateway-provider": "simulator" })).status).toBe(200);
  });

  it("needs a model, from the version, the call or the config", async () => {
    const { slug: bare } = await make({ model: null });
    for (const call of [{}, { model: null }, { model: "" }])
      expect(await complete(bare, call)).toMatchObject({
        status: 400,
        body: { error: { code: "AB01", reason: "prompt_model_missing", param: "model" } },
      });
    expect((await render(bare)).body.data).not.toHaveProperty("model");
    const config = JSON.stringify({ override_params: { model: "from-config" } });
    expect(content(await complete(bare, {}, { "x-gateway-config": config }))).toContain("from-config");
    expect(content(await complete(bare, { model: "from-call" }))).toContain("from-call");
  });

  it("is shaped, retried and cached as any other request", async () => {
    const cached = {
      "x-gateway-config": JSON.stringify({ cache: { mode: "simple" }, override_params: { temperature: 1 } }),
    };
    const status = async (name: string) =>
      (await complete(slug, { variables: { name } }, cached)).headers.get("x-gateway-cache-status");
    expect([await status("x"), await status("x"), await status("y")]).toEqual(["MISS", "HIT", "MISS"]);
    const { slug: failing } = await make({ model: "fault-status-503" });
    const retried = await complete(failing, {}, { "x-gateway-config": JSON.stringify({ retry: { attempts: 1 } }) });
    expect(retried.headers.get("x-gateway-retry-attempt-count")).toBe("-1");
    expect(retried.headers.get("x-gateway-prompt-version")).toBe("1");
    expect(retried.body).toMatchObject({ error: { message: expect.stringContaining("simulator error") } });
  });

  it("is read whatever nitro mode would do to other bodies", async () => {
    expect((await complete(slug, {}, { "x-gateway-nitro-mode": "true" })).status).toBe(200);
  });

  it("shows the plugins on its way the rendered request and the prompt it was made of, and rendering shows nothing", async () => {
    const asked = () => gateway.log.lines.filter(({ message }) => message === "asked").length;
    const before = asked();
    await render(slug, { variables: { name: "x" } });
    expect(asked()).toBe(before);
    await complete(slug, { variables: { name: "x" }, seed: 1 });
    expect(asked()).toBe(before + 1);
    expect(logged("asked")).toEqual({
      body: { temperature: 0, model: "m", messages: [{ role: "user", content: "Hello x" }], seed: 1 },
      prompt: { id, slug, version: 1, versionId: version_id, variables: { name: "x" } },
    });
  });
});

describe("what is wrong with a call besides its prompt", () => {
  it.each<[string, Record<string, string>]>([
    ["a config that is not saved", { "x-gateway-config": "pc-none" }],
    ["a config that is none", { "x-gateway-config": '{"foo":1}' }],
    ["a provider that there is not", { "x-gateway-provider": "@nobody" }],
    ["a host that nobody may call", { "x-gateway-provider": "simulator", "x-gateway-custom-host": "http://10.0.0.1" }],
    ["a header that stays here", { "x-gateway-provider": "simulator", "x-gateway-forward-headers": "host" }],
  ])("is told as of any request: %s", async (_, headers) => {
    const { slug } = await make({ model: "m" });
    const refused = await complete(slug, {}, headers);
    const chat = await here("POST", "/chat/completions", { model: "m", messages: [] }, headers);
    expect([refused.status, refused.body]).toEqual([chat.status, chat.body]);
    expect(refused.body).toMatchObject({ status: "failure" });
  });
});

describe("who may use a prompt", () => {
  it.each([
    ["render", "prompts.render"],
    ["completions", "completions.write"],
  ])("%s needs %s, and no other scope gives it", async (verb, scope) => {
    const { slug } = await make();
    const all = ["prompts.render", "completions.write", "prompts.read", "prompts.update"];
    const holder = (scopes: string[]) =>
      as({ workspace: workspace.id, scopes })("POST", `/prompts/${slug}/${verb}`, {});
    expect((await holder([scope])).status).toBe(200);
    expect(await holder(all.filter((one) => one !== scope))).toMatchObject({
      status: 403,
      body: { data: { errorCode: "AB03" } },
    });
    expect(await admin("POST", `/prompts/${slug}/${verb}`, {})).toMatchObject({
      status: 403,
      body: { data: { errorCode: "AB03" } },
    });
  });

  it("is its workspace, and those it is shared with", async () => {
    const { slug: partial } = (await here("POST", "/prompts/partials", { name: "p", string: "our secret" })).body;
    const { slug } = await make({ string: `Hi {{>${partial}}}` });
    const { slug: open } = await make({ string: "Hi {{>>theirs}}" });
    const theirs = async (ref: string, call = {}, verb = "render") =>
      await there("POST", `/prompts/${ref}/${verb}`, call);
    expect((await theirs(slug)).body.error.reason).toBe("prompt_not_found");
    expect((await theirs(slug, {}, "completions")).body.error.reason).toBe("prompt_not_found");
    await here("POST", `/prompts/${slug}/share`, {
      visibility: "workspaces",
      workspace_ids: [other.slug],
      include_partials: true,
    });
    await here("POST", `/prompts/${open}/share`, { visibility: "organisation" });
    expect((await theirs(slug)).body.data.messages[0].content).toBe("Hi our secret");
    expect((await theirs(slug, {}, "completions")).status).toBe(200);
    await here("DELETE", `/prompts/partials/${partial}/share`);
    expect((await theirs(slug)).status).toBe(200);
    // What a caller writes itself sees what the caller sees.
    expect((await theirs(open, { variables: { theirs: `{{>${partial}}}` } })).body.error.reason).toBe(
      "partial_not_found",
    );
    await here("DELETE", `/prompts/${slug}/share`);
    expect((await theirs(slug)).body.error.reason).toBe("prompt_not_found");
    const foreign = as({ organisation: "22222222-2222-4222-8222-222222222222", workspace: workspace.id });
    expect((await foreign("POST", `/prompts/${slug}/render`, {})).status).toBe(404);
    const nobodys = as({ organisation: undefined as never });
    const refused = { render: { data: { errorCode: "AB05" } }, completions: { error: { code: "invalid_api_key" } } };
    for (const [verb, body] of Object.entries(refused))
      expect(await nobodys("POST", `/prompts/${slug}/${verb}`, {})).toMatchObject({ status: 401, body });
  });
});
