import { describe, expect, it } from "vitest";
import type { EncodeContext } from "../../core/index.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { mistralOcr as format } from "./format.ts";

const context: EncodeContext = { provider: "acme", model: "m", strict: true, now: 5, id: "i", includeUsage: false };
const document = { type: "document_url", document_url: "https://a/b.pdf" };

describe("mistral-ocr", () => {
  it.each([
    { model: "m", document },
    { model: "m", document: { type: "image_url", image_url: "https://a/b.png" } },
    { model: "m", document: { type: "image_url", image_url: { url: "https://a/b.png" } } },
    { model: "m", document: { type: "file", file_id: "f" } },
    { model: "m", document, pages: "0,2-4" },
    {
      model: "m",
      document,
      pages: [0, 2],
      include_image_base64: true,
      image_limit: 3,
      image_min_size: 9,
      table_format: "html",
    },
  ])("gives %j back as it came", (asked) => {
    expect(format.encodeRequest(format.decodeRequest(deepFreeze(asked)), (name) => expect.fail(name))).toEqual(asked);
  });

  it.each<[object | null, string]>([
    [null, "body"],
    [{ document }, "model"],
    [{ model: "m" }, "document"],
    [{ model: "m", document: "https://a" }, "document"],
    [{ model: "m", document: { type: "other" } }, "document.type"],
    [{ model: "m", document: { type: "document_url" } }, "document.document_url"],
    [{ model: "m", document, pages: "all" }, "pages"],
    [{ model: "m", document, pages: [-1] }, "pages[0]"],
    [{ model: "m", document, include_image_base64: "yes" }, "include_image_base64"],
    [{ model: "m", document, image_limit: -1 }, "image_limit"],
  ])("refuses %j", (wire, param) => {
    expect(() => format.decodeRequest(wire)).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param } }),
    );
  });

  const page = { index: 0, markdown: "# Hi", images: [], dimensions: { dpi: 200, height: 10, width: 10 } };
  const answer = {
    pages: [page],
    model: "ocr-1",
    usage_info: { pages_processed: 1, doc_size_bytes: 9 },
    model_version: "x",
  };
  it("gives an answer back with its provider, and counts pages", () => {
    const response = format.decodeResponse(deepFreeze(answer));
    expect(response.usage).toEqual({ pages: 1 });
    expect(format.readUsage(answer)).toEqual({ pages: 1 });
    expect(format.readUsage({})).toBeUndefined();
    expect(format.encodeResponse(response, context)).toEqual({ ...answer, provider: "acme" });
  });

  it.each([
    ["the document", { ...answer, document_annotation: "{}" }],
    ["an image in it", { ...answer, pages: [{ ...page, images: [{ id: "i", image_annotation: "{}" }] }] }],
  ])("counts pages as annotated where %s is", (_, wire) => {
    expect(format.readUsage(wire)).toEqual({ pages: 1, annotatedPages: 1 });
  });

  it.each([null, {}, { pages: [{ index: 0 }] }])("refuses the answer %j", (wire) => {
    expect(() => format.decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });
});
