import { describe, expect, it } from "vitest";
import { addressId, filenameOf, folderOf, keyPath, storage } from "./storage-place.ts";
import { xmlError, xmlText } from "./xml-text.ts";

const places = storage({ scheme: "gs", bucket: /^[a-z0-9][a-z0-9.-]+$/ });

describe("addresses of objects", () => {
  it.each(["gs://bucket-1/a/b c.jsonl", "gs://b.c/ü", "gs://bucket-1/100%25"])(
    "are read as ids and as they are: %s",
    (uri) => {
      const place = places.read(uri, "file_id");
      expect(places.uri(place)).toBe(uri);
      expect(places.read(addressId(uri), "file_id")).toEqual(place);
    },
  );

  it.each([
    ["file-1"],
    ["%E0%A4%A"],
    ["s3://bucket-1/a"],
    ["gs://bucket-1"],
    ["gs://bucket-1/"],
    ["gs:///a"],
    ["gs://Bucket/a"],
    ["gs://a@b/c"],
    ["gs://a..b/c"],
    ["gs://bucket-1/../b"],
    ["gs://bucket-1/a/./b"],
    ["gs://bucket-1/a\nb"],
    [`gs://bucket-1/${"a".repeat(1_025)}`],
    ["gs%3A%2F%2Fbucket-1%2F..%2Fb"],
  ])("are refused: %s", (address) => {
    expect(() => places.read(address, "file_id")).toThrow("file_id");
  });

  it("keep to the buckets there may be", () => {
    const few = storage({ scheme: "gs", bucket: /./, buckets: ["mine"] });
    expect(few.read("gs://mine/a", "file_id")).toEqual({ bucket: "mine", key: "a" });
    expect(() => few.read("gs://others/a", "file_id")).toThrow('"others" is not among those of the config file');
  });

  it("become paths in which nothing can step aside", () => {
    expect(keyPath("a b/c?d#e%/é'(!*)")).toBe("a%20b/c%3Fd%23e%25/%C3%A9%27%28%21%2A%29");
    expect([filenameOf("a/b/c"), filenameOf("c"), folderOf("a/b/c"), folderOf("c")]).toEqual(["c", "c", "a/b/", ""]);
  });
});

describe("the XML of storage services", () => {
  it("is read by the names of its elements", () => {
    const xml = '<?xml version="1.0"?><R xmlns="x"><UploadId a="1">a&amp;b&quot;&unknown;</UploadId><Empty/></R>';
    expect([xmlText(xml, "UploadId"), xmlText(xml, "Empty"), xmlText("{}", "R")]).toEqual([
      'a&b"&unknown;',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ["<Error><Code>NoSuchKey</Code><Message>No key</Message></Error>", { message: "No key", code: "NoSuchKey" }],
    ["<Error><Code>NoSuchKey</Code></Error>", { message: "NoSuchKey", code: "NoSuchKey" }],
    ["not found", undefined],
  ])("says what went wrong: %s", (xml, error) => {
    expect(xmlError(xml)).toEqual(error);
  });
});
