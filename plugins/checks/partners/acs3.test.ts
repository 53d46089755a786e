import { expect, it } from "vitest";
import { acs3Headers } from "./acs3.ts";

const common = {
  accessKeyId: "YourAccessKeyId",
  accessKeySecret: "YourAccessKeySecret",
  nonce: "3156853299f313e23d1673dc12e1703d",
  now: Date.UTC(2023, 9, 26, 10, 22, 32),
};

it("signs the example of the vendor's documentation as it does", () => {
  const { authorization } = acs3Headers({
    ...common,
    host: "ecs.cn-shanghai.aliyuncs.com",
    action: "RunInstances",
    version: "2014-05-26",
    query: { RegionId: "cn-shanghai", ImageId: "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd" },
    body: "",
  });
  expect(authorization).toBe(
    "ACS3-HMAC-SHA256 Credential=YourAccessKeyId," +
      "SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version," +
      "Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0",
  );
});

it("signs a form and signs of its own in the query, as another implementation did", () => {
  const headers = acs3Headers({
    ...common,
    host: "green-cip.ap-southeast-1.aliyuncs.com",
    action: "MultiModalGuard",
    version: "2022-03-02",
    query: { "a b": "*'()!~", ä: "" },
    body: "Service=query_security_check_intl&ServiceParameters=%7B%22content%22%3A%22hi%22%7D",
    contentType: "application/x-www-form-urlencoded",
  });
  expect(headers["x-acs-date"]).toBe("2023-10-26T10:22:32Z");
  expect(headers).not.toHaveProperty("host");
  expect(headers.authorization).toContain("SignedHeaders=content-type;host;");
  expect(headers.authorization).toContain("Signature=95269a286328f4f3e5f4c6e1f99b4cbe57e296c03fa3901e626514edd45e823a");
});
