import { createHash, createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { keyPath } from "../storage-place.ts";
import { signatureOf } from "./sign.ts";

/** The examples of AWS's documentation of signatures for S3. */
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const scope = { region: "us-east-1", service: "s3", date: new Date("2013-05-24T00:00:00Z") };
const host = "examplebucket.s3.amazonaws.com";
const nothing = createHash("sha256").digest("hex");

it.each([
  ["/?lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
  ["/?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
])("signs %s for S3 as AWS does", async (path, signature) => {
  const headers = { "x-amz-content-sha256": nothing };
  const call = { method: "GET", url: `https://${host}${path}`, headers, body: undefined };
  const signed = await signatureOf(call, credentials, scope);
  expect(signed.authorization).toContain("SignedHeaders=host;x-amz-content-sha256;x-amz-date");
  expect(signed.authorization).toContain(`Signature=${signature}`);
});

it("signs names with marks in them escaped once, as they are sent", async () => {
  const path = `/${keyPath("dir/a b(1)'*!é&$+,;=@:.jsonl")}`;
  expect(path).toBe("/dir/a%20b%281%29%27%2A%21%C3%A9%26%24%2B%2C%3B%3D%40%3A.jsonl");
  const call = { method: "GET", url: `https://${host}${path}`, headers: { "x-amz-content-sha256": nothing } };
  const signed = await signatureOf({ ...call, body: undefined }, credentials, scope);
  const names = "host;x-amz-content-sha256;x-amz-date";
  const headers = `host:${host}\nx-amz-content-sha256:${nothing}\nx-amz-date:20130524T000000Z\n`;
  const canonical = createHash("sha256").update(["GET", path, "", headers, names, nothing].join("\n")).digest("hex");
  const day = "20130524/us-east-1/s3/aws4_request";
  const key = day
    .split("/")
    .reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, ["AWS4-HMAC-SHA256", "20130524T000000Z", day, canonical].join("\n"));
  expect(signed.authorization).toContain(`Signature=${signature.toString("hex")}`);
});

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
