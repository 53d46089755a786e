import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { awsCaller } from "./caller.ts";
import { readAwsError } from "./error.ts";
import { type AwsOptions, type AwsService, awsDomainOf, awsOptions } from "./options.ts";

const options = z.strictObject(awsOptions({ name: "anything" }));
const given = (more: Record<string, unknown> = {}): AwsOptions => options.parse(more);
const keys = { accessKeyId: "AKIDOWN", secretAccessKey: "own-secret" };
const call = { method: "POST", url: "https://h.example/p", headers: {}, body: Buffer.from("{}") };
const withVariable: AwsService = { name: "anything", keyVariable: "ANY_SERVICE_KEY" };
const withHeader: AwsService = { name: "anything", showKey: (key) => ({ "x-api-key": key }) };

afterEach(() => vi.unstubAllEnvs());

describe("who calls a service of AWS", () => {
  it.each<[Record<string, unknown>, AwsService, object | undefined]>([
    [{}, withVariable, undefined],
    [keys, withVariable, {}],
    [{ ...keys, apiKey: "k" }, withVariable, { authorization: "Bearer k" }],
    [{ apiKey: "k" }, withHeader, { "x-api-key": "k" }],
    [{ authType: "apiKey" }, withVariable, { authorization: "Bearer of-the-machine" }],
    [{ authType: "apiKey" }, withHeader, undefined],
    [{ authType: "serviceRole" }, withVariable, { authorization: "Bearer of-the-machine" }],
    [{ authType: "serviceRole" }, withHeader, {}],
  ])("with %j at %j shows %j", (more, service, shown) => {
    vi.stubEnv("ANY_SERVICE_KEY", "of-the-machine");
    expect(awsCaller(service).authenticate(given(more))).toEqual(shown);
  });

  it.each<[Record<string, unknown>, RegExp | undefined]>([
    [keys, /Credential=AKIDOWN\/\d{8}\/us-east-1\/anything\/aws4_request/],
    [{ ...keys, region: "eu-west-1" }, /\/eu-west-1\/anything\//],
    [{ ...keys, apiKey: "k" }, undefined],
    [{}, undefined],
  ])("with %j signs: %s", async (more, signature) => {
    const { authorization } = await awsCaller({ name: "anything" }).sign(call, given(more));
    if (signature) expect(authorization).toMatch(signature);
    else expect(authorization).toBeUndefined();
  });
});

it.each<[string, string | undefined, string]>([
  ["us-east-1", undefined, "amazonaws.com"],
  ["cn-north-1", undefined, "amazonaws.com.cn"],
  ["cn-north-1", "api.aws", "api.aws"],
])("hosts of %s with the domain %s end with %s", (region, domain, end) => {
  expect(awsDomainOf({ region, domain })).toBe(end);
});

it("hosts end with what the deployment says where the options say nothing (operations.md section 3.5)", () => {
  vi.stubEnv("AWS_ENDPOINT_DOMAIN", "c2s.example");
  expect(awsDomainOf({ region: "us-east-1" })).toBe("c2s.example");
  expect(awsDomainOf({ region: "us-east-1", domain: "amazonaws.com" })).toBe("amazonaws.com");
  vi.unstubAllEnvs();
});

it("a deployment that says the default of the variable says nothing of regions in China", () => {
  vi.stubEnv("AWS_ENDPOINT_DOMAIN", "amazonaws.com");
  expect(awsDomainOf({ region: "cn-north-1" })).toBe("amazonaws.com.cn");
  expect(awsDomainOf({ region: "us-east-1" })).toBe("amazonaws.com");
  vi.unstubAllEnvs();
});

it.each<[unknown, string | undefined, object | undefined]>([
  [{ message: "no" }, undefined, { message: "no" }],
  [{ Message: "no" }, "ThrottlingException:http://x/", { message: "no", type: "ThrottlingException" }],
  [{ message: "no" }, "com.amazon#AccessDenied", { message: "no", type: "AccessDenied" }],
  [{ error: { message: "no" } }, "AccessDenied", undefined],
  ["no", undefined, undefined],
])("reads the refusal %j with the type %s", (wire, type, detail) => {
  expect(readAwsError(400, wire, type === undefined ? {} : { "x-amzn-errortype": type })).toEqual(detail);
});

it("loads nothing of AWS's before it is needed", () => {
  const sources = readdirSync(import.meta.dirname).filter((name) => /(?<!test)\.ts$/.test(name));
  expect(sources).toContain("sign.ts");
  for (const name of sources)
    expect(readFileSync(`${import.meta.dirname}/${name}`, "utf8")).not.toMatch(/^import .*"@(?:aws-sdk|smithy)\//m);
});
