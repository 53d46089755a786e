import { expect, it } from "vitest";
import { readableEncodings } from "./readable-encodings.ts";

it.each([
  ["gzip, deflate,br", "gzip, deflate,br"],
  ["gzip, deflate, br, zstd", "gzip, deflate, br"],
  ["zstd;q=1.0, GZIP;q=0.5, *;q=0.1", "GZIP;q=0.5"],
  ["zstd", "identity"],
  ["*", "identity"],
  ["identity", "identity"],
])("of %s a vendor is told %s", (accepted, told) => expect(readableEncodings(accepted)).toBe(told));
