import { expect, it } from "vitest";
import { objectUrl } from "./storage.ts";

it.each([
  [{ region: "eu-west-1" }, "bucket-1", "https://bucket-1.s3.eu-west-1.amazonaws.com/a/b%20c%27"],
  [{ region: "eu-west-1" }, "with.dots", "https://s3.eu-west-1.amazonaws.com/with.dots/a/b%20c%27"],
  [{ region: "cn-north-1" }, "bucket-1", "https://bucket-1.s3.cn-north-1.amazonaws.com.cn/a/b%20c%27"],
])("finds objects at the host of the region: %j, %s", (place, bucket, url) => {
  expect(objectUrl({ ...place, modelType: "chat" }, { bucket, key: "a/b c'" })).toBe(url);
});
