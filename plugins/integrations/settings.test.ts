import { describe, expect, it } from "vitest";
import { moduleLoader } from "../../core/config/index.ts";
import { optionsByField } from "../../core/provider-kit/brought.ts";
import { secretNames } from "../../core/provider-kit/stored-settings.ts";
import { maskedConfigurations, mergedConfigurations } from "./masking.ts";
import { ModelRules } from "./model-rules.ts";
import { missingMembers, requirements, vendorOf } from "./vendors.ts";
import { configurationsIn, integrationTarget, modelConfigOf, virtualKeyTarget } from "./virtual-key-fields.ts";

describe("masks", () => {
  it.each<[string, object, object]>([
    [
      "nothing that is no secret",
      { aws_region: "eu", aws_role_arn: "arn:aws" },
      { aws_region: "eu", aws_role_arn: "arn:aws" },
    ],
    ["a secret by its name", { aws_secret_access_key: "0123456789" }, { masked_aws_secret_access_key: "01*******89" }],
    ["a short one whole", { some_token: "short" }, { masked_some_token: "*******" }],
    ["a secret the vendor names", { acme_pin: "0123456789" }, { masked_acme_pin: "01*******89" }],
    ["a secret that is no text", { client_secret: { a: "0123456789" } }, { masked_client_secret: '{"*******"}' }],
    ["none that is not there", { api_key: null }, { api_key: null }],
    ["secrets inside", { a: [{ b: { password: "0123456789" } }] }, { a: [{ b: { masked_password: "01*******89" } }] }],
    [
      "a key file that is text",
      { vertex_service_account_json: '{"private_key":"x"}' },
      { masked_vertex_service_account_json: '{"*******"}' },
    ],
    [
      "headers by theirs",
      { custom_headers: { "Proxy-Authorization": "Basic 0123", "x-a": "1" } },
      { custom_headers: { "masked_Proxy-Authorization": "Ba*******23", "x-a": "1" } },
    ],
  ])("cover %s", (_, given, shown) => {
    expect(maskedConfigurations({ ...given }, ["acme_pin", "vertex_service_account_json"])).toEqual(shown);
  });

  it.each<[string, object, object, object]>([
    ["are laid over", { a: 1, b: 2 }, { b: 3, c: 4 }, { a: 1, b: 3, c: 4 }],
    ["are taken away by null", { a: 1, b: 2 }, { b: null }, { a: 1 }],
    [
      "stand for what is kept when they come back masked",
      { key_secret: "s" },
      { masked_key_secret: "*" },
      { key_secret: "s" },
    ],
    [
      "give way to a new one beside the mask",
      { client_secret: "s" },
      { masked_client_secret: "*", client_secret: "n" },
      { client_secret: "n" },
    ],
    ["forget masks of nothing", {}, { masked_client_secret: "*" }, {}],
    [
      "keep what is masked inside, and replace the rest",
      { h: { api_key: "s", old: 1 } },
      { h: { masked_api_key: "*", x: 1 } },
      { h: { api_key: "s", x: 1 } },
    ],
  ])("%s", (_, kept, sent, merged) => expect(mergedConfigurations({ ...kept }, { ...sent })).toEqual(merged));
});

describe("vendors", () => {
  const loader = moduleLoader();
  const known = loader.knownProviders();

  it.each(Object.entries(requirements).filter(([vendor]) => known.includes(vendor)))(
    "%s knows the members it requires",
    async (vendor, required) => {
      const definition = await loader.provider(vendor, ".");
      const { storedFields = {} } = definition;
      const names = [
        ...optionsByField(definition).keys(),
        ...Object.values(storedFields as Record<string, string[]>).flat(),
      ];
      for (const { member } of required) expect(names).toContain(member);
    },
  );

  it("say which of their options are secrets", async () => {
    const secretsOf = async (vendor: string) => secretNames(await loader.provider(vendor, "."));
    expect(await secretsOf("bedrock")).toEqual(["aws_access_key_id", "aws_secret_access_key", "aws_session_token"]);
    expect(await secretsOf("vertex-ai")).toEqual(["vertex_service_account_json"]);
    expect(await secretsOf("oracle")).toEqual(expect.arrayContaining(["oracle_private_key", "oracle_key_passphrase"]));
    for (const vendor of known) expect(Array.isArray(await secretsOf(vendor)), vendor).toBe(true);
  });

  it.each<[string, object, string[], string[]]>([
    ["openai", {}, [], []],
    ["bedrock", { aws_auth_type: "serviceRole" }, [], ["aws_region"]],
    ["bedrock", { aws_auth_type: "accessKey", aws_region: "r" }, ["aws_secret_access_key"], ["aws_access_key_id"]],
    [
      "azure-openai",
      { azure_auth_mode: "default", custom_host: "h", azure_deployment_config: [] },
      [],
      ["azure_deployment_config"],
    ],
    ["vertex-ai", { vertex_auth_type: "workload", vertex_region: "" }, [], ["vertex_region"]],
  ])("%s with %j misses (later: %j) %j", (vendor, given, later, missing) =>
    expect(missingMembers(vendor, { ...given }, later)).toEqual(missing),
  );

  it("have older names", () =>
    expect(["open-ai", "hugging-face", "groq"].map(vendorOf)).toEqual(["openai", "huggingface", "groq"]));
});

describe("members of a virtual key", () => {
  const sent = {
    name: "not a member",
    awsRegion: "eu",
    deploymentConfig: [{ deploymentName: "d", apiVersion: "v", alias: "a", is_default: true }],
    custom_host: "h",
    secret_mappings: [],
    rate_limits: null,
  };
  const kept = {
    aws_region: "eu",
    azure_deployment_config: [{ azure_deployment_name: "d", azure_api_version: "v", alias: "a", is_default: true }],
    custom_host: "h",
  };

  it("are those of an integration under other names, and back", () => {
    expect(configurationsIn(sent)).toEqual(kept);
    expect(modelConfigOf({ ...kept, masked_aws_secret_access_key: "*", other_thing: 1 })).toEqual({
      awsRegion: "eu",
      deploymentConfig: sent.deploymentConfig,
      customHost: "h",
      masked_awsSecretAccessKey: "*",
      other_thing: 1,
    });
  });

  it.each([
    ["key", "key", "key"],
    ["awsSecretAccessKey", "configurations.aws_secret_access_key", "model_config.awsSecretAccessKey"],
    ["model_config.awsSecretAccessKey", "configurations.aws_secret_access_key", "model_config.awsSecretAccessKey"],
    ["configurations.aws_secret_access_key", "configurations.aws_secret_access_key", "model_config.awsSecretAccessKey"],
    ["model_config.some_field", "configurations.some_field", "model_config.some_field"],
  ])("are mapped: %s", (target, integration, shown) => {
    expect(integrationTarget(target)).toBe(integration);
    expect(virtualKeyTarget(integration)).toBe(shown);
  });
});

describe("model rules", () => {
  const row = (slug: string, enabled: boolean) => ({
    slug,
    name: slug,
    enabled,
    is_custom: null,
    is_finetune: null,
    base_model_slug: null,
    configurations: null,
    pricing_config: null,
  });
  const all = { models: [], allow_all_models: true };
  const some = { models: [row("on", true), row("off", false)], allow_all_models: true };
  const none = { models: [row("on", true)], allow_all_models: false };
  const call = (model: string | undefined, raw = false, reads = false) => ({ model, raw, reads });

  it.each<
    [
      string,
      Pick<ConstructorParameters<typeof ModelRules>[0], "models" | "allow_all_models">,
      ReturnType<typeof call>,
      boolean,
    ]
  >([
    ["anything", all, call("x"), true],
    ["anything unread", all, call(undefined, true), true],
    ["what is enabled", some, call("on"), true],
    ["what is disabled", some, call("off"), false],
    ["what is not named", some, call("x"), true],
    ["what is enabled alone", none, call("on"), true],
    ["what is not named beside it", none, call("x"), false],
    ["nothing named", none, call(undefined), false],
    ["what is enabled, unread", some, call("on", true), false],
    ["a reading call, unread", none, call(undefined, true, true), true],
  ])("let through %s", (_, rules, asked, passes) => {
    const admit = () => new ModelRules(rules).admit(asked, "p");
    if (passes) expect(admit()).toBeUndefined();
    else expect(admit).toThrow(expect.objectContaining({ code: "model_not_allowed" }));
  });
});

describe("what an integration says of prices", () => {
  const pricing_config = { type: "static", pay_as_you_go: { request_token: { price: 0.0003 } } };
  const row = (slug: string, more: object) => ({
    slug,
    name: slug,
    enabled: true,
    is_custom: null,
    is_finetune: null,
    base_model_slug: null,
    configurations: null,
    pricing_config: null,
    ...more,
  });
  const models = [
    row("priced", { pricing_config }),
    row("plain", {}),
    row("tuned", { is_finetune: true, base_model_slug: "plain" }),
  ];
  const multiplier = { default: 0.8 };
  const without = new ModelRules({ models, allow_all_models: true });
  const multiplied = new ModelRules({ models, allow_all_models: true, pricing_adjustments: { multiplier } });

  it.each([
    ["priced", { own: false, prices: pricing_config }],
    ["plain", undefined],
    ["tuned", { own: true }],
    ["other", undefined],
  ])("is, of the model %s, that of its row", (model, said) => {
    expect(without.pricing(model)).toEqual(said);
    expect(multiplied.pricing(model)).toEqual({ own: false, ...said, multiplier });
    expect(multiplied.pricing(model)).toBe(multiplied.pricing(model));
  });
});
